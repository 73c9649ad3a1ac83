import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020";
import { expect, it } from "vitest";
import { GET } from "@/app/api/v1/exchange/schema.json/route";
import { buildExchangeSchema, importBody } from "@/lib/exchange/schema";
import { parseInput } from "@/lib/platform/http/read/parse-input";

const file = new URL("../../../docs/exchange.schema.json", import.meta.url);

it("X1: the JSON Schema in the repository is the one that the server answers", async () => {
  const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
  expect(stored).toEqual(JSON.parse(JSON.stringify(buildExchangeSchema())));
  const answer = await GET(new Request("http://localhost/api/v1/exchange/schema.json"));
  expect(await answer.json()).toEqual(stored);
  // Finding G8: as it is documented.
  expect(answer.headers.get("Content-Type")).toBe("application/json");
});

it("X1: describes documents and single items, and refuses misspelt members", () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ ...buildExchangeSchema(), $id: "exchange" });
  const check = (part: string, value: unknown) => ajv.validate(`exchange${part}`, value);
  const group = { name: "A", rpcs: [{ name: "Show", hmi_levels: ["FULL"] }] };
  expect(check("", { format: "open-policy/1", groups: [group] })).toBe(true);
  expect(check("", { format: "open-policy/1", groups: [{ ...group, is_defualt: true }] })).toBe(false);
  expect(check("#/$defs/ExchangeGroup", group)).toBe(true);
  expect(check("#/$defs/ExchangeGroup", { ...group, rpcs: [{ name: "Show", hmi_levels: ["HALF"] }] })).toBe(false);
});

it("U13: says of a file of something else that it is one", () => {
  const sentence = "format must be open-policy/1, as in an export. This file is something else";
  for (const document of [{}, { format: "other/1" }]) {
    expect(() => parseInput(importBody, { document })).toThrow(sentence);
  }
});
