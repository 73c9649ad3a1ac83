import { describe, expect, it } from "vitest";
import { planRecord, type StoredApps } from "@/lib/apps/directory/apps/stored-apps";
import { splitByApp } from "@/lib/apps/directory/apps/store-works";
import type { DirectoryRecordHead } from "@/lib/apps/directory/client/read-record";

const aHead = (members: Partial<DirectoryRecordHead> = {}): DirectoryRecordHead => ({
  uuid: "a",
  versionId: 1,
  isDeleted: false,
  isBlacklisted: false,
  ...members,
});
const nothing: StoredApps = { versions: new Map(), decided: new Set(), blacklisted: new Set() };
const stored = (...numbers: (number | null)[]): StoredApps => ({
  ...nothing,
  versions: new Map([["a", new Set(numbers)]]),
});

it.each([
  ["D1: deletes what is stored", { isDeleted: true }, stored(1), "delete"],
  ["D1: deletes what was decided", { isDeleted: true }, { ...nothing, decided: new Set(["a"]) }, "delete"],
  ["D1: needs nothing for an unknown app", { isDeleted: true }, nothing, "deleted"],
  ["D1: comes before D2", { isDeleted: true, isBlacklisted: true }, nothing, "deleted"],
  ["D2: blacklists", { isBlacklisted: true }, stored(1), "blacklist"],
  ["D2: does so once", { isBlacklisted: true }, { ...stored(1), blacklisted: new Set(["a"]) }, "blacklisted"],
  ["D3: knows a version", {}, stored(1), "known"],
  ["D3: knows a version without a number", { versionId: null }, stored(1, null), "known"],
  ["D3: stores another version", { versionId: 2 }, stored(1, null), "store"],
  ["stores a blacklisted app's version", {}, { ...nothing, blacklisted: new Set(["a"]) }, "store"],
  ["keeps letter case apart", { uuid: "A" }, stored(1), "store"],
] as const)("about a record: %s", (_, head, known, plan) => expect(planRecord(aHead(head), known)).toBe(plan));

describe("the parts of a batch", () => {
  it("name no app twice and keep the order of each app's records", () => {
    const items = ["a1", "b1", "a2", "c1", "a3", "b2"].map((name) => ({ uuid: name[0] ?? "", name }));
    const parts = splitByApp(items).map((part) => part.map(({ name }) => name));
    expect(parts).toEqual([["a1", "b1", "c1"], ["a2", "b2"], ["a3"]]);
  });

  it("of an empty batch are none", () => expect(splitByApp([])).toEqual([]));
});
