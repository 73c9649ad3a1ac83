import { expect, it, vi } from "vitest";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import { isJsonDeeperThan } from "@/lib/platform/http/read/json-depth";

const isDeeper = (text: string, limit: number) => isJsonDeeperThan(Buffer.from(text), limit);
const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;

it.each([
  ["{}", 1, false],
  ["{}", 0, true],
  ['{"a":[1,{}]}', 2, true],
  ['{"a":[1,{}]}', 3, false],
  ["[[],[],[[]]]", 3, false],
  ["[[],[],[[]]]", 2, true],
  ['{"a":"[[[[{{{{"}', 1, false],
  ['{"[[[":"\\"[[[\\\\"}', 1, false],
  ['{"a":"\\\\","b":[[]]}', 2, true],
  ['{"ä字👩":"["}', 1, false],
  ['"[[[', 1, false],
  ['"\\', 1, false],
  ["1", 0, false],
  ["", 0, false],
])("finding B13: %s is deeper than %i: %s", (text, limit, expected) => expect(isDeeper(text, limit)).toBe(expected));

it("finding B13: a request that is too deep is refused by the vehicle worker, a long one before it is parsed", async () => {
  const request = { environment: "production", contentType: "application/json", acceptsGzip: false } as const;
  const parse = vi.spyOn(JSON, "parse");
  for (const text of [nested(66), "[".repeat(1_000_000), `{"policy_table":${"[".repeat(100)}${"]".repeat(100)}}`]) {
    const { status, buffers } = await answerVehicle({
      ...request,
      body: Buffer.from(text),
      policy: {} as never,
      hooks: {},
    });
    // A short one costs little, whatever it is.
    if (text.length > 40_000) expect(parse.mock.calls.flat()).not.toContain(text);
    expect([status, Buffer.concat(buffers).toString()]).toEqual([400, expect.stringContaining("64 levels")]);
  }
  parse.mockRestore();
});
