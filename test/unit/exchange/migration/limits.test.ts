import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findExcess, shortenNames } from "@/lib/exchange/migration/convert/limits";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { runs, seed } from "@/test/support/extent";

describe("X7: names that are too long", () => {
  const long = "é".repeat(200);

  it("are cut between characters, and stay different; names that fit stay as they are", () => {
    const nameOf = shortenNames([`${long}a`, "short", `${long}b`, `${long}a`, `${long}c`], 255);
    const cut = ["é".repeat(127), `${"é".repeat(126)}~2`, `${"é".repeat(126)}~3`];
    expect([`${long}a`, `${long}b`, `${long}c`].map(nameOf)).toEqual(cut);
    expect(["short", "unheard of"].map(nameOf)).toEqual(["short", "unheard of"]);
  });

  it("X1b: lose blanks at their ends and what nobody sees, and stay different; of some nothing remains", () => {
    const names = ["Seats", " Seats", "Se\u200bats ", "Doors\t", " \u200b"];
    expect(names.map(shortenNames(names, 255))).toEqual(["Seats", "Seats~2", "Seats~3", "Doors", ""]);
  });

  it("never take a name that is there, whatever the names", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "é", "~", "2"), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(word), (all) => {
        const names = new Set(all);
        const nameOf = shortenNames(all, 5);
        const shortened = [...names].map(nameOf);
        expect(new Set(shortened).size).toBe(names.size);
        expect(shortened.every((name) => byteLength(name) <= 5)).toBe(true);
        for (const name of names) if (byteLength(name) <= 5) expect(nameOf(name)).toBe(name);
      }),
      { numRuns: runs(2000, 200), seed },
    );
  });
});

describe("X7: what no table has room for", () => {
  type Status = "STAGING" | "PRODUCTION";
  const row = (id: number, key: string, status: Status = "PRODUCTION", is_deleted = false) => {
    return { id, key, status, is_deleted };
  };
  const choice = (first = "") => ({
    keyOf: ({ key }: { key: string }) => key,
    isShown: ({ key }: { key: string }) => key !== "hidden",
    isFirst: ({ key }: { key: string }) => key === first,
  });
  const excess = (rows: readonly ReturnType<typeof row>[], max: number, first?: string) => [
    ...findExcess(rows, max, choice(first)),
  ];

  it("is what came last, by the first row of a key, in whatever order the rows are", () => {
    const rows = [row(4, "a"), row(3, "c"), row(2, "b"), row(1, "a")];
    expect(excess(rows, 2)).toEqual(["c"]);
    expect(excess(rows, 3)).toEqual([]);
    expect(excess(rows, 2, "c")).toEqual(["b"]);
  });

  it("is never something of production because of something that only staging has", () => {
    const rows = [row(1, "new", "STAGING"), row(2, "a"), row(3, "b"), row(4, "b", "STAGING")];
    expect(excess(rows, 2, "new")).toEqual(["new"]);
  });

  it("does not count what is deleted in a view, or in no table anyway", () => {
    const rows = [row(1, "gone"), row(2, "gone", "PRODUCTION", true), row(3, "hidden"), row(4, "a")];
    expect(excess(rows, 1)).toEqual([]);
    expect(excess([row(1, "a"), row(2, "a", "STAGING", true), row(3, "b")], 1)).toEqual(["b"]);
  });
});
