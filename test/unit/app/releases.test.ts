import { describe, expect, it, vi } from "vitest";
import { describePath, mergeWords } from "@/app/_releases/field-diff";
import { chooseItems, readChoices, reviewPath } from "@/app/_releases/item-address";
import { buildDiffLines } from "@/app/_releases/json-diff";
import { pathOfChoice, pathsOfChoice, readReview } from "@/app/_releases/publication";
import { describeGrowth, describePlan } from "@/app/_releases/labels";

describe("L5: what is chosen is asked for", () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ family: "group", key: `Group & ${at}` }) as const);
  const fetchFrom = async (path: string) => {
    const fetched = vi.fn((_url: string, _init: { readonly method?: string; readonly body?: string }) =>
      Promise.resolve(Response.json({ meta: { code: 200, message: null }, data: {} })),
    );
    vi.stubGlobal("fetch", fetched);
    await readReview(path);
    const [url, init] = fetched.mock.calls[0] ?? [];
    return { url, method: init?.method ?? "GET", body: init?.body ?? "" };
  };

  it("in the address while that is short", async () => {
    const { url, method } = await fetchFrom(pathOfChoice(items(2), false));
    const query = "items=group%3AGroup+%26+0&items=group%3AGroup+%26+1";
    expect([url, method]).toEqual([`/api/v1/releases/changes?${query}`, "GET"]);
  });

  it("with the place in the list of apps, in either", async () => {
    const short = await fetchFrom(pathsOfChoice(items(1), false).morePathOf(100));
    expect(short.url).toBe("/api/v1/releases/changes/apps?from=100&items=group%3AGroup+%26+0");
    const long = await fetchFrom(pathsOfChoice(items(2_000), false).morePathOf(200));
    expect(long.url).toBe("/api/v1/releases/changes/apps");
    expect(JSON.parse(long.body)).toMatchObject({ from: 200, items: { length: 2_000 } });
  });

  it("in the body when the address would be too long", async () => {
    const { url, method, body } = await fetchFrom(pathsOfChoice(items(2_000), false).pathOf("an app"));
    expect([url, method]).toEqual(["/api/v1/releases/changes/apps/an%20app", "POST"]);
    const sent = JSON.parse(body) as { items: string[] };
    expect([sent.items.length, sent.items.at(-1)]).toEqual([2_000, "group:Group & 1999"]);
  });
});

describe("L5: the address of a review", () => {
  const choices = [
    { item: { family: "group", key: "A:B & C" } },
    { item: { family: "module_config", key: "" } },
    { family: "message" },
    { family: "group", ids: [3, 14] },
  ] as const;

  it("leads to what it was made from", () => {
    const query = new URL(reviewPath(choices), "http://console").searchParams;
    const read = readChoices({ items: query.getAll("items"), ids: query.getAll("ids") });
    expect(read).toEqual(expect.arrayContaining([...choices]));
    expect(read).toHaveLength(choices.length);
  });

  it("leaves out what makes no sense", () => {
    expect(readChoices({ items: ["", "planet:Mars", "group"], ids: "group:x,,-1" })).toEqual([{ family: "group" }]);
    expect(reviewPath([])).toBe("/changes");
  });

  it("chooses all without choices, and nothing when nothing meets them", () => {
    const items = [
      { family: "group", key: "A", id: 1 },
      { family: "group", key: "B", id: 2 },
    ] as const;
    expect([...chooseItems(items, [])]).toEqual(["group:A", "group:B"]);
    expect([...chooseItems(items, [{ family: "group", ids: [2] }])]).toEqual(["group:B"]);
    expect([...chooseItems(items, [{ item: { family: "group", key: "gone" } }])]).toEqual([]);
  });
});

it.each([
  ["rpcs.Alert.hmi_levels", "Alert › HMI levels"],
  ["user_consent_prompt", "Consent prompt"],
  ["languages.de-de.line1", "de-de › Line 1"],
  ["seconds_between_retries", "Seconds between retries"],
  ["rpcs", "Rpcs"],
])("L5: fields are called as people call them, names stay as they are: %s", (path, words) => {
  expect(describePath(path)).toBe(words);
});

it("L5: lists of words are told apart word by word; everything else is a value", () => {
  expect(mergeWords(["FULL", "NONE"], ["FULL", "LIMITED"])).toEqual([
    { word: "FULL", state: "kept" },
    { word: "LIMITED", state: "added" },
    { word: "NONE", state: "removed" },
  ]);
  expect(mergeWords(null, ["a"])).toEqual([{ word: "a", state: "added" }]);
  expect(mergeWords("a", "b")).toBeNull();
  expect(mergeWords(null, null)).toBeNull();
  expect(mergeWords([{ name: "x" }], null)).toBeNull();
});

it("L5: changed fields as the JSON they stand in", () => {
  const lines = buildDiffLines([
    { path: "rpcs.Alert.levels", before: ["FULL"], after: null },
    { path: "rpcs.Alert.parameters", before: null, after: "x" },
    { path: "name", before: "A", after: "B" },
  ]);
  expect(lines.map(({ sign, depth, text }) => `${sign}${"  ".repeat(depth)}${text}`)).toEqual([
    ' "rpcs": {',
    '   "Alert": {',
    '-    "levels": [',
    '-      "FULL"',
    "-    ]",
    '+    "parameters": "x"',
    "   }",
    " }",
    '-"name": "A"',
    '+"name": "B"',
  ]);
});

it("L5, L7: plans and sizes in words", () => {
  expect(describePlan([{ change: "add" }, { change: "add" }, { change: "delete" }])).toBe("2 to add, 1 to remove");
  expect(describePlan([])).toBe("Nothing to publish");
  expect(describeGrowth(1000, 2500)).toBe("+1.5 kB");
  expect(describeGrowth(1000, 880)).toBe("−120 B");
});
