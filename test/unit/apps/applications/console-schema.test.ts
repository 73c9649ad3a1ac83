import { describe, expect, it } from "vitest";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";

const parse = (query: Record<string, string | string[]>) => consoleListQuery.parse(query);

describe("the address of the list", () => {
  it("begins with what waits for review, the riskiest first (L31)", () => {
    expect(parse({})).toMatchObject({ state: "review", sort: "-risk", size: 50 });
    expect(parse({ state: "accepted" })).toMatchObject({ sort: "-updated" });
  });

  it.each([
    [{ state: "nonsense" }, { state: "review" }],
    [{ size: "7" }, { size: 50 }],
    [{ size: "x" }, { size: 50 }],
    [{ sort: "vendor" }, { sort: "-risk" }],
    [{ sort: "risk", state: "all" }, { sort: "-updated" }],
    [{ category: "media" }, { category: undefined }],
    [{ q: "a\u0000b" }, { q: undefined }],
    [{ q: "\ud800" }, { q: undefined }],
    [{ q: "x".repeat(101) }, { q: undefined }],
    [{ q: "   " }, { q: undefined }],
    [{ flag: "root" }, { flag: undefined }],
    [{ updated: "7" }, { updated: undefined }],
    [{ live: "true" }, { live: undefined }],
    [{ unknown: "1" }, { state: "review" }],
  ])("1.2: what means nothing falls back to the default: %j", (query, expected) => {
    expect(parse(query)).toMatchObject(expected);
  });

  it("takes the first of a repeated parameter", () =>
    expect(parse({ state: ["limited", "all"], q: ["one", "two"] })).toMatchObject({ state: "limited", q: "one" }));
});
