import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { parseSettings } from "@/lib/platform/settings/parse";
import { secretVariables, variableNames } from "@/lib/platform/settings/variables";

const example = readFileSync(new URL("../../../../.env.example", import.meta.url), "utf8");
const named = [...example.matchAll(/^# ?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => ({ name, value }));

it("explains every setting once, and nothing else", () => {
  expect(named.map(({ name }) => name).toSorted()).toEqual(variableNames.toSorted());
});

it("changes nothing when copied as it is", () => {
  expect(parseEnv(example)).toEqual({});
});

it("holds no secret", () => {
  for (const { name, value } of named) if (secretVariables.some((secret) => secret === name)) expect(value).toBe("");
});

it("shows values that are accepted", () => {
  const env = Object.fromEntries(named.map(({ name, value }) => [name, value]));
  expect(parseSettings(env, { root: "/srv", readable: () => true })).toHaveProperty("settings");
});
