import { describe, expect, it } from "vitest";
import { findBaseline, findLiveVersions, labelVersions } from "@/lib/apps/applications/versions";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

const versions = (...statuses: ApprovalStatus[]) =>
  statuses.map((approvalStatus, index) => ({ id: index + 1, approvalStatus }));
const ids = (...args: Parameters<typeof findLiveVersions>) => {
  const { production, staging } = findLiveVersions(...args);
  return [production?.id ?? null, staging?.id ?? null];
};

describe("A4: which version vehicles get", () => {
  it.each([
    ["ACCEPTED PENDING", 1, 1],
    ["ACCEPTED STAGING PENDING", 1, 2],
    ["STAGING ACCEPTED", 2, 2],
    ["ACCEPTED LIMITED", 1, 1],
    ["ACCEPTED ACCEPTED STAGING LIMITED", 2, 3],
    ["PENDING LIMITED", null, null],
    ["STAGING", null, 1],
    ["", null, null],
  ])("%s: production gets %j, staging %j", (statuses, ...expected) => {
    const known = versions(...(statuses.split(" ").filter(Boolean) as ApprovalStatus[]));
    expect(ids(known, false)).toEqual(expected);
    // The order in which versions are known does not matter.
    expect(ids(known.toReversed(), false)).toEqual(expected);
  });

  it("gives a blocked app nothing", () => expect(ids(versions("ACCEPTED", "STAGING"), true)).toEqual([null, null]));
});

it.each<[string, ApprovalStatus[], number, number | null]>([
  ["what production serves", ["ACCEPTED", "ACCEPTED", "PENDING"], 3, 2],
  ["what production serves, also a later one", ["ACCEPTED", "PENDING", "ACCEPTED"], 2, 3],
  ["the accepted one before what production serves", ["ACCEPTED", "LIMITED", "ACCEPTED", "PENDING"], 3, 1],
  ["nothing for a first submission", ["PENDING"], 1, null],
  ["nothing for a first one that is accepted", ["ACCEPTED"], 1, null],
  ["nothing where none was accepted", ["LIMITED", "STAGING"], 2, null],
])("a version is compared with %s", (_, list, id, expected) =>
  expect(findBaseline(versions(...list), id)?.id ?? null).toBe(expected),
);

describe("what versions are called", () => {
  const label = (...list: Parameters<typeof labelVersions>[0]) => [...labelVersions(list).values()];

  it("goes by the developer's text, else by the directory's number, else by the record", () => {
    const plain = { id: 3, versionId: 41, developerVersion: null };
    expect(label({ ...plain, developerVersion: "1.2.0" })).toEqual(["v1.2.0"]);
    expect(label({ ...plain, developerVersion: "Release A" })).toEqual(["Release A"]);
    expect(label({ ...plain, developerVersion: "  " })).toEqual(["#41"]);
    expect(label({ ...plain, versionId: null })).toEqual(["record 3"]);
  });

  it("tells versions with the same text apart", () =>
    expect(
      label(
        { id: 1, versionId: 41, developerVersion: "1.0" },
        { id: 2, versionId: null, developerVersion: "1.0" },
        { id: 3, versionId: 43, developerVersion: "2.0" },
      ),
    ).toEqual(["v1.0 (#41)", "v1.0 (id 2)", "v2.0"]));
});
