import { expect, it } from "vitest";
import { z } from "zod";
import { readPageQuery } from "@/app/_console/page-query";
import { queryEnvironment, queryInteger, queryText } from "@/lib/platform/zod/query";

const schema = z.object({
  environment: queryEnvironment("staging"),
  q: queryText()
    .transform((text) => text?.trim())
    .transform((text) => (text === "" ? undefined : text)),
  size: queryInteger()
    .transform((size) => (size === 25 || size === 100 ? size : 50))
    .catch(50),
  state: z.enum(["all", "modified"]).catch("all"),
});
const read = (address: string) => readPageQuery(schema, Object.fromEntries(new URLSearchParams(address)));

it("1.2: reads what the address says, and leaves a proper address alone", () => {
  expect(read("environment=production&q=speed&size=25&state=modified")).toEqual({
    query: { environment: "production", q: "speed", size: 25, state: "modified" },
    cleaned: null,
  });
  expect(read("")).toEqual({ query: { environment: "staging", q: undefined, size: 50, state: "all" }, cleaned: null });
  expect(read("environment=STAGING").cleaned).toBeNull();
});

it.each([
  ["unknown=1&q=a", "q=a"],
  ["size=many", ""],
  ["size=30&state=modified", "state=modified"],
  ["state=nothing", ""],
  ["environment=elsewhere&q=a", "q=a"],
  ["q=", ""],
  ["q=+speed+", "q=speed"],
])("1.2: takes what is unknown or malformed out of ?%s", (address, cleaned) => {
  expect(read(address).cleaned).toBe(cleaned);
});

it("1.2: of a repeated parameter the first value stays", () =>
  expect(readPageQuery(schema, { q: ["a", "b"] })).toMatchObject({ query: { q: "a" }, cleaned: "q=a" }));
