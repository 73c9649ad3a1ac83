import { describe, expect, it } from "vitest";
import { buildListPath, consoleListQuery } from "@/lib/apps/applications/console/console-schema";

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

  it("leaves defaults out of the address", () => {
    expect(buildListPath(parse({}))).toBe("/applications");
    expect(buildListPath(parse({ state: "review", sort: "-risk", size: "50" }))).toBe("/applications");
    expect(buildListPath(parse({ state: "all", q: "a b", size: "25" }))).toBe("/applications?state=all&q=a+b&size=25");
  });

  it("keeps filters from tab to tab, but neither page nor the other tab's own order", () => {
    const query = parse({ q: "tune", platform: "IOS", after: "abc" });
    expect(buildListPath(query, { state: "limited" })).toBe("/applications?state=limited&q=tune&platform=IOS");
    const chosen = parse({ state: "accepted", sort: "name" });
    expect(buildListPath(chosen, { state: "all" })).toBe("/applications?state=all&sort=name");
  });

  it("turns pages within the same list", () => {
    const query = parse({ state: "all", q: "tune", after: "abc" });
    expect(buildListPath(query, { after: "def" })).toBe("/applications?state=all&q=tune&after=def");
    expect(buildListPath(query, { after: undefined, before: "abc" })).toBe("/applications?state=all&q=tune&before=abc");
  });

  it("reads its own address back", () => {
    const filters = { state: "all", q: "a&b=c", category: "3", flag: "auto", updated: "week", live: "no" };
    const query = parse({ ...filters, sort: "-name", size: "100" });
    const [, text = ""] = buildListPath(query).split("?");
    expect(parse(Object.fromEntries(new URLSearchParams(text)))).toEqual(query);
  });
});
