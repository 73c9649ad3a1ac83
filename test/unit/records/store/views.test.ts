import { describe, expect, it } from "vitest";
import { isVisible, selectPromotable } from "@/lib/records/store/views";
import type { RecordStatus } from "@/lib/vocabulary/terms";

const record = (id: number, name: string, status: RecordStatus, isDeleted = false) => ({ id, name, status, isDeleted });
const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

it.each([
  ["staging", "STAGING", false, false, true],
  ["staging", "PRODUCTION", false, false, true],
  ["staging", "STAGING", true, false, true],
  ["staging", "PRODUCTION", true, false, false],
  ["staging", "STAGING", true, true, false],
  ["staging", "STAGING", false, true, true],
  ["production", "PRODUCTION", false, false, true],
  ["production", "PRODUCTION", true, false, false],
] as const)(
  "list visibility (api.md section 1): %s view, %s record, deleted %s, hide_deleted %s: %s",
  (environment, status, deleted, hideDeleted, shown) =>
    expect(isVisible(record(1, "x", status, deleted), environment, { hideDeleted })).toBe(shown),
);

describe("promotion (api.md section 1)", () => {
  const staging = [
    record(4, "New", "STAGING"),
    record(5, "Base", "STAGING"),
    record(6, "Location", "PRODUCTION", true),
  ];

  it("1: takes STAGING records that are the greatest id of their key, deletions included", () => {
    const view = [...staging.slice(0, 1), record(7, "Base", "STAGING", true)];
    expect(idsOf(selectPromotable([4, 7], view))).toEqual([4, 7]);
  });

  it("1: skips unknown, superseded and promoted ids, and counts a repeated id once", () =>
    expect(idsOf(selectPromotable([99, 3, 6, 1, 5, 5], staging))).toEqual([5]));
});
