import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const pages = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "page.tsx")
  .filter((file) => file !== path.join("(auth)", "login", "page.tsx"));

const needs: Readonly<Record<string, string>> = {
  [path.join("(console)", "access", "page.tsx")]: 'needOfPage("/access")',
};

it.each(pages)("0.6, P7: %s asks for itself who is looking, before anything else", (file) => {
  const text = readFileSync(path.join("app", file), "utf8");
  const [, body] = /export default async function \w+\([^]*?\) \{\n([^]*)/.exec(text) ?? [];
  expect(body?.trimStart().split("\n")[0]).toBe(`await requirePage(${needs[file] ?? '"read"'});`);
});

it("finds the start page, and those that are not for everybody", () =>
  expect(pages).toEqual(
    expect.arrayContaining([path.join("(console)", "(overview)", "page.tsx"), ...Object.keys(needs)]),
  ));
