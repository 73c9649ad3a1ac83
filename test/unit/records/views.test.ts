import { describe, expect, it } from "vitest";
import { buildPromotedCopy, buildView, isVisible, selectPromotable } from "@/lib/records/views";
import { type RecordStatus } from "@/lib/words/vocabulary";

const record = (id: number, name: string, status: RecordStatus, isDeleted = false) => ({ id, name, status, isDeleted });
const keyOf = ({ name }: { name: string }) => name;
const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

const history = [
  record(1, "Base", "PRODUCTION"),
  record(5, "Base", "STAGING"),
  record(3, "Base", "STAGING"),
  record(2, "Location", "PRODUCTION"),
  record(6, "Location", "PRODUCTION", true),
  record(4, "New", "STAGING"),
];

describe("views (api.md section 1)", () => {
  it("staging view: per key the greatest id, whatever its status or the order of the records", () => {
    expect(idsOf(buildView(history, "staging", keyOf))).toEqual([4, 5, 6]);
  });

  it("production view: per key the greatest id of status PRODUCTION; a key without one is absent", () => {
    expect(idsOf(buildView(history, "production", keyOf))).toEqual([1, 6]);
  });

  it("gives one record for records that share one constant key, as module configs do", () => {
    expect(idsOf(buildView(history, "staging", () => ""))).toEqual([6]);
  });

  it("is empty for no records", () => {
    expect(buildView([], "staging", keyOf)).toEqual([]);
  });
});

describe("list visibility (api.md section 1)", () => {
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
    "%s view, %s record, deleted %s, hide_deleted %s: %s",
    (environment, status, deleted, hideDeleted, shown) => {
      expect(isVisible(record(1, "x", status, deleted), environment, { hideDeleted })).toBe(shown);
    },
  );
});

describe("promotion (api.md section 1)", () => {
  const staging = buildView(history, "staging", keyOf);

  it("1: takes STAGING records that are the greatest id of their key, deletions included", () => {
    const deletion = record(7, "Base", "STAGING", true);
    const view = buildView([...history, deletion], "staging", keyOf);
    expect(idsOf(selectPromotable([4, 7], view))).toEqual([4, 7]);
  });

  it("1: skips unknown, superseded and promoted ids, and counts a repeated id once", () => {
    expect(idsOf(selectPromotable([99, 3, 6, 1, 5, 5], staging))).toEqual([5]);
  });

  it("2: copies everything under the new id with status PRODUCTION, the deletion too", () => {
    expect(buildPromotedCopy(record(7, "Base", "STAGING", true), 8)).toEqual(record(8, "Base", "PRODUCTION", true));
  });

  it("3: leaves nothing to promote afterwards", () => {
    const copies = selectPromotable([4, 5], staging).map((chosen, index) => buildPromotedCopy(chosen, 10 + index));
    const after = buildView([...history, ...copies], "staging", keyOf);
    expect(
      selectPromotable(
        [...after].map(({ id }) => id),
        after,
      ),
    ).toEqual([]);
    expect(idsOf(buildView([...history, ...copies], "production", keyOf))).toEqual([6, 10, 11]);
  });
});
