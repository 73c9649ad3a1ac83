import { expect, it } from "vitest";
import { buildCoverageMatrix } from "@/lib/groups/coverage-matrix";
import type { HmiLevel } from "@/lib/words/vocabulary";

const rpc = (name: string, levels: readonly HmiLevel[]) => ({ name, levels, parameters: [] });
const group = (name: string, rpcs: readonly ReturnType<typeof rpc>[], isDeleted = false) => ({ name, rpcs, isDeleted });

it("lays groups and RPCs out with their levels, RPCs by name", () => {
  const groups = [
    group("A", [rpc("Show", ["FULL"]), rpc("Alert", ["FULL", "LIMITED"])]),
    group("B", [rpc("Alert", ["NONE"])]),
  ];
  expect(buildCoverageMatrix(groups, 10)).toEqual({
    groups: ["A", "B"],
    rpcs: [
      { name: "Alert", count: 2, cells: [["FULL", "LIMITED"], ["NONE"]] },
      { name: "Show", count: 1, cells: [["FULL"], null] },
    ],
    moreGroups: 0,
  });
});

it("leaves out what is allowed at no level, and groups that are deleted", () => {
  const groups = [group("A", [rpc("Show", [])]), group("B", [rpc("Alert", ["FULL"])], true)];
  expect(buildCoverageMatrix(groups, 10)).toEqual({ groups: ["A"], rpcs: [], moreGroups: 0 });
});

it("counts an RPC also in groups that have no column any more", () => {
  const groups = ["A", "B", "C"].map((name) => group(name, [rpc("Alert", ["FULL"])]));
  const matrix = buildCoverageMatrix(groups, 1);
  expect(matrix).toMatchObject({ groups: ["A"], moreGroups: 2, rpcs: [{ count: 3, cells: [["FULL"]] }] });
});
