import { expect, it } from "vitest";
import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { readDisplayName } from "@/lib/platform/http/read/read-verified-name";

const longest = "字".repeat(longestDisplayName);

it.each(["Ann", "Jörg Müller", "Зоя", longest, "👩‍🔧 Kim", "50 % of us", "a+b"])("1.2 Who did it: reads %s", (name) => {
  expect(readDisplayName(encodeURIComponent(name))).toBe(name);
});

it("takes the spaces around a name away", () => expect(readDisplayName("%20 Ann%20")).toBe("Ann"));

it.each([
  ["nothing", null],
  ["an empty text", ""],
  ["spaces", "%20%20"],
  ["one character too many", encodeURIComponent(`${longest}x`)],
  ["a text that is not worth decoding", "%20".repeat(10_000)],
  ["half an escape", "50 %"],
  ["bytes that are no UTF-8", "%C3%28"],
  ["half a character", "%ED%A0%80"],
  ["what was not encoded", "Jörg"],
  ["a null", "a%00b"],
  ["a line end", "a%0D%0ASet-Cookie:%20x"],
  ["a separator of lines", "a%E2%80%A8b"],
  ["a mark that turns around what follows", "a%E2%80%AEb"],
])("1.2 Who did it: counts %s as absent", (_, header) => expect(readDisplayName(header)).toBeNull());
