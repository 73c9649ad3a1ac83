import { Info } from "lucide-react";
import { describe, expect, it, vi } from "vitest";
import { buildRowActions } from "@/app/_records/record-actions";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import type { ListedRecord } from "@/lib/records/store/listing";
import type { Environment } from "@/lib/vocabulary/terms";

const aRecord = (partial: Partial<ListedRecord> = {}): ListedRecord => ({
  ...{ id: 12, name: "Location-1", status: "STAGING", isDeleted: false, isNew: false },
  changedAt: "2026-02-11T16:20:05.000Z",
  ...partial,
});
const kind: ListedKind<{ readonly id: number; readonly record: ListedRecord | null }> = {
  ...recordKinds.groups,
  ...{ description: "", icon: Info, search: "", exported: { path: "", csv: "", json: "" } },
  ...{ place: "after", labelOf: () => "", isChosenByRow: true },
  nothing: { staging: { title: "", text: "" }, production: { title: "", text: "" } },
  pathOf: ({ name }, place) => `/${place}/${name}`,
  record: ({ record }) => record,
};
function listActions(
  record: ListedRecord | null,
  { environment = "staging", isCopied = true }: { environment?: Environment; isCopied?: boolean } = {},
) {
  return buildRowActions({ ...kind, isCopied }, environment, { id: record?.id ?? 3, record }, vi.fn());
}
const labels = (entries: ReturnType<typeof buildRowActions>) =>
  entries.map((entry) => (entry === "separator" ? "–" : entry.label));
const find = (entries: ReturnType<typeof buildRowActions>, label: string) =>
  entries.find((entry) => entry !== "separator" && entry.label === label);

describe("the menu of a row is the same for every family of records", () => {
  it("opens, copies, shows production, promotes, and deletes last", () => {
    const actions = listActions(aRecord());
    const inOrder = ["Edit", "Duplicate", "View in production", "Publish to production", "–", "Delete…"];
    expect(labels(actions)).toEqual(inOrder);
    expect(find(actions, "View in production")).toMatchObject({ href: "/production/Location-1" });
    expect(find(actions, "Publish to production")).toMatchObject({ href: "/changes?ids=group%3A12" });
    expect(find(actions, "Delete…")).toMatchObject({ danger: true });
  });

  it("has nothing of production for what was never there", () =>
    expect(labels(listActions(aRecord({ isNew: true })))).not.toContain("View in production"));

  it("restores what is marked for deletion, and does not copy it", () => {
    const inOrder = ["View", "View in production", "Publish to production", "–", "Restore…"];
    expect(labels(listActions(aRecord({ isDeleted: true })))).toEqual(inOrder);
  });

  it("says why what production has already is not promoted", () => {
    const promote = (record: ListedRecord) => find(listActions(record), "Publish to production");
    expect(promote(aRecord({ status: "PRODUCTION" }))).toMatchObject({
      disabledReason: "Production already has this version",
    });
    expect(promote(aRecord())).toMatchObject({ disabledReason: null });
  });

  it("leaves out what a family does not do: to be copied", () => {
    const actions = listActions(aRecord({ isNew: true }), { isCopied: false });
    expect(labels(actions)).toEqual(["Edit", "Publish to production", "–", "Delete…"]);
  });

  it("only reads and copies in production, and leads to staging", () => {
    const actions = listActions(aRecord({ status: "PRODUCTION" }), { environment: "production" });
    expect(labels(actions)).toEqual(["View", "Edit in staging", "Duplicate"]);
    expect(find(actions, "Edit in staging")).toMatchObject({ href: "/staging/Location-1" });
  });

  it("only opens what is inside of a record", () => {
    expect(labels(listActions(null))).toEqual(["Edit"]);
    expect(labels(listActions(null, { environment: "production" }))).toEqual(["View"]);
  });
});
