import { expect, it } from "vitest";
import { buildCoverageMatrix } from "@/lib/content/groups/coverage-matrix";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { HmiLevel } from "@/lib/labels/vocabulary";

const rpc = (name: string, levels: readonly HmiLevel[]) => ({ name, levels, parameters: [] });
const group = (name: string, rpcs: readonly ReturnType<typeof rpc>[], isDeleted = false) => ({ name, rpcs, isDeleted });

type Group = ReturnType<typeof group>;
/** Every RPC with all of its parameters, as where none of them is restricted. */
const allowedIn = (groups: readonly Group[]) => (name: string) =>
  (groups.find((one) => one.name === name)?.rpcs ?? [])
    .filter(({ levels }) => levels.length > 0)
    .map((one): AllowedRpc => ({ ...one, parameters: null }));
const allowed = (...levels: HmiLevel[]) => ({ levels, isVeto: false });

it("lays groups and RPCs out with their levels, RPCs by name", () => {
  const groups = [
    group("A", [rpc("Show", ["FULL"]), rpc("Alert", ["FULL", "LIMITED"])]),
    group("B", [rpc("Alert", ["NONE"])]),
  ];
  expect(buildCoverageMatrix(groups, 10, allowedIn(groups))).toEqual({
    groups: ["A", "B"],
    rpcs: [
      { name: "Alert", count: 2, cells: [allowed("FULL", "LIMITED"), allowed("NONE")] },
      { name: "Show", count: 1, cells: [allowed("FULL"), null] },
    ],
    moreGroups: 0,
  });
});

it("leaves out what is allowed at no level, and groups that are deleted", () => {
  const groups = [group("A", [rpc("Show", [])]), group("B", [rpc("Alert", ["FULL"])], true)];
  expect(buildCoverageMatrix(groups, 10, allowedIn(groups))).toEqual({ groups: ["A"], rpcs: [], moreGroups: 0 });
});

it("counts an RPC also in groups that have no column any more", () => {
  const groups = ["A", "B", "C"].map((name) => group(name, [rpc("Alert", ["FULL"])]));
  const matrix = buildCoverageMatrix(groups, 1, allowedIn(groups));
  expect(matrix).toMatchObject({ groups: ["A"], moreGroups: 2, rpcs: [{ count: 3, cells: [allowed("FULL")] }] });
});

it("marks what is listed without any parameter, which is no right", () => {
  const listed = (parameters: AllowedRpc["parameters"]) =>
    [{ name: "GetVehicleData", levels: ["FULL"], parameters }] as const;
  const groups = [group("A", [rpc("GetVehicleData", ["FULL"])]), group("B", [rpc("GetVehicleData", ["FULL"])])];
  const { rpcs } = buildCoverageMatrix(groups, 10, (name) => listed(name === "A" ? [] : ["gps"]));
  expect(rpcs).toEqual([
    { name: "GetVehicleData", count: 2, cells: [{ levels: ["FULL"], isVeto: true }, allowed("FULL")] },
  ]);
});
