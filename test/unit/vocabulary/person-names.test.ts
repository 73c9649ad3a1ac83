import { expect, it } from "vitest";
import { foldName, isPlainName, isSameName } from "@/lib/vocabulary/person-names";

it.each(["kim", "kim@example.com", "Doe John", "Jörg 字", "O'Neil", "a\u0301́ b".normalize("NFKC")])(
  "%j is plain",
  (name) => expect(isPlainName(name)).toBe(true),
);

it.each(["", " kim", "Jo\u0308rg", "k\u00adim", "\uff4bim", "kim\u200d", "a\u00a0b", "a\u034fb"])("%j is not", (name) =>
  expect(isPlainName(name)).toBe(false),
);

it.each([
  ["Ada", "ADA"],
  ["Straße", "STRASSE"],
  ["STRAẞE", "strasse"],
  ["Jo\u0308rg", "J\u00f6rg"],
  ["A\u00adda", "ada"],
  ["\uff21da", "Ada"],
  ["ΟΔΟΣ", "οδος"],
])("%j and %j are one name", (one, other) => {
  expect(isSameName(one, other)).toBe(true);
  expect(isSameName(one, `${other}x`)).toBe(false);
});

it("folding what was folded changes nothing, whatever the character", () => {
  const all = Array.from({ length: 0x11_0000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
  const wrong = all.filter((code) => {
    const folded = foldName(`a${String.fromCodePoint(code)}`);
    return foldName(folded) !== folded;
  });
  expect(wrong).toEqual([]);
});
