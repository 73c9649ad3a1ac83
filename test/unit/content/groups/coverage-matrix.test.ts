import { expect, it } from "vitest";
import { buildCoverageMatrix, matrixSize } from "@/lib/content/groups/coverage-matrix";
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
const start = { groups: 0, rpcs: 0 };
const allowed = (...levels: HmiLevel[]) => ({ levels, isVeto: false });

it("lays groups and RPCs out with their levels, RPCs by name", () => {
  const groups = [
    group("A", [rpc("Show", ["FULL"]), rpc("Alert", ["FULL", "LIMITED"])]),
    group("B", [rpc("Alert", ["NONE"])]),
  ];
  expect(buildCoverageMatrix(groups, start, allowedIn(groups))).toEqual({
    groups: ["A", "B"],
    rpcs: [
      { name: "Alert", count: 2, cells: [allowed("FULL", "LIMITED"), allowed("NONE")] },
      { name: "Show", count: 1, cells: [allowed("FULL"), null] },
    ],
    place: { groups: { after: 0, total: 2 }, rpcs: { after: 0, total: 2 } },
  });
});

it("leaves out what is allowed at no level, and groups that are deleted", () => {
  const groups = [group("A", [rpc("Show", [])]), group("B", [rpc("Alert", ["FULL"])], true)];
  expect(buildCoverageMatrix(groups, start, allowedIn(groups))).toMatchObject({ groups: ["A"], rpcs: [] });
});

it("shows a part of the groups and RPCs, and counts an RPC also in groups that are not in it", () => {
  const rpcs = Array.from({ length: 100 }, (_, at) => rpc(`Rpc${String(at).padStart(3, "0")}`, ["FULL"]));
  const groups = Array.from({ length: 300 }, (_, at) => group(`G${at}`, rpcs));
  const first = buildCoverageMatrix(groups, start, allowedIn(groups));
  expect([first.groups.length, first.rpcs.length]).toEqual([matrixSize.groups, matrixSize.rpcs]);
  expect(first.rpcs[0]).toMatchObject({ name: "Rpc000", count: 300 });
  const last = buildCoverageMatrix(groups, { groups: 9999, rpcs: 9999 }, allowedIn(groups));
  expect(last.place).toEqual({ groups: { after: 280, total: 300 }, rpcs: { after: 90, total: 100 } });
  expect([last.groups[0], last.rpcs[0]?.name, last.rpcs[0]?.cells.length]).toEqual(["G280", "Rpc090", 20]);
  // Cells of a part, with the two columns before them and the heads: the rest of a page has some 600 elements.
  expect((matrixSize.groups + 2) * (matrixSize.rpcs + 2)).toBeLessThanOrEqual(2200);
});

it("marks what is listed without any parameter, which is no right", () => {
  const listed = (parameters: AllowedRpc["parameters"]) =>
    [{ name: "GetVehicleData", levels: ["FULL"], parameters }] as const;
  const groups = [group("A", [rpc("GetVehicleData", ["FULL"])]), group("B", [rpc("GetVehicleData", ["FULL"])])];
  const { rpcs } = buildCoverageMatrix(groups, start, (name) => listed(name === "A" ? [] : ["gps"]));
  expect(rpcs).toEqual([
    { name: "GetVehicleData", count: 2, cells: [{ levels: ["FULL"], isVeto: true }, allowed("FULL")] },
  ]);
});
