import { expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/http/read/parse-input";
import { bodyId, queryBoolean, queryEnvironment, queryInteger, queryText } from "@/lib/platform/zod/query";

const schema = z.object({
  id: queryInteger(),
  template: queryBoolean(),
  environment: queryEnvironment("production"),
  uuid: queryText(),
});

const read = (query: Record<string, string | string[]>) => parseInput(schema, query);

function messageOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return error.message;
    throw error;
  }
  throw new Error("accepted");
}

it("0.3: absent parameters have their defaults", () =>
  expect(read({})).toEqual({ template: false, environment: "production" }));

it.each([
  ["true", true],
  ["TRUE", true],
  ["1", true],
  ["false", false],
  ["False", false],
  ["0", false],
  ["", false],
])("0.3: reads the boolean %j as %j", (text, expected) => expect(read({ template: text }).template).toBe(expected));

it("0.3: refuses other booleans by name", () =>
  expect(messageOf(() => read({ template: "yes" }))).toBe("template must be true or false"));

it.each(["12", "-3", "0", "007"])("0.3: reads the integer %s", (text) => {
  expect(read({ id: text }).id).toBe(Number(text));
});

it.each(["", "1.5", "1e3", " 1", "x", "9007199254740992", "+1"])("0.3: refuses %j as an integer by name", (text) => {
  expect(messageOf(() => read({ id: text }))).toBe("id must be an integer");
});

it("0.3: the first value of a repeated parameter counts", () =>
  expect(read({ id: ["1", "x"], template: ["true", "false"], uuid: ["a", "b"] })).toMatchObject({
    id: 1,
    template: true,
    uuid: "a",
  }));

it("0.3: reads the environment in any case and falls back", () => {
  expect(read({ environment: "Staging" }).environment).toBe("staging");
  expect(read({ environment: "PRODUCTION" }).environment).toBe("production");
  expect(read({ environment: "test" }).environment).toBe("production");
  expect(parseInput(queryEnvironment("staging"), undefined)).toBe("staging");
});

it("0.8: takes ids as integers and as digits, and nothing else", () => {
  const body = z.object({ id: bodyId });
  expect(parseInput(body, { id: 7 })).toEqual({ id: 7 });
  expect(parseInput(body, { id: "7" })).toEqual({ id: 7 });
  for (const id of [1.5, true, [7], "", "7a", null, {}, undefined]) {
    expect(messageOf(() => parseInput(body, { id }))).toBe("id must be an integer");
  }
});

it("0.5: names the field that is wrong, with its path, and never the value", () => {
  const nested = z.object({
    name: z.string().min(1).max(3),
    kind: z.enum(["a", "b"]).optional(),
    params: z
      .array(z.object({ key: z.string() }))
      .max(1)
      .optional(),
    count: z.int().min(2).optional(),
  });
  expect(messageOf(() => parseInput(nested, {}))).toBe("name is required");
  expect(messageOf(() => parseInput(nested, { name: 1 }))).toBe("name must be a string");
  expect(messageOf(() => parseInput(nested, { name: "" }))).toBe("name must have at least 1 character");
  expect(messageOf(() => parseInput(nested, { name: "secret" }))).toBe("name must have at most 3 characters");
  expect(messageOf(() => parseInput(nested, { name: "x", kind: "secret" }))).toBe("kind has an unknown value");
  expect(messageOf(() => parseInput(nested, { name: "x", params: [{}] }))).toBe("params.0.key is required");
  expect(messageOf(() => parseInput(nested, { name: "x", params: [{ key: "" }, { key: "" }] }))).toBe(
    "params must have at most 1 element",
  );
  expect(messageOf(() => parseInput(nested, { name: "x", count: 1 }))).toBe("count must be at least 2");
  expect(messageOf(() => parseInput(nested, { name: "x", count: 1.5 }))).toBe("count must be an integer");
});
