import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryVersion } from "@/lib/policy/table/app-policies";
import type { SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { buildMatrix } from "@/lib/policy/why/app-matrix";
import { prepareView } from "@/lib/policy/why/view";
import { carBuilds, coreVersions, oldestCore } from "@/lib/vocabulary/head-units";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import {
  aBaseGroup,
  aGroup,
  aMessage,
  anApp,
  anAppVersion,
  anRpc,
  aPermission,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";
import { askServedTable } from "@/test/support/car-tables";
import { atLeast, runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";
import { roadtuneSnapshot } from "./roadtune";

const uuids = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002", "11111111aa"];
const own = (object: any, name: string): any => (Object.hasOwn(object, name) ? object[name] : undefined);

it("L15: grants at each level exactly what cars permit by the served table, parameters included", async () => {
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(randomSnapshot, fc.constantFrom(...coreVersions), async (snapshot, version) => {
      const asked = shortenedTable(Object.fromEntries(uuids.map((uuid) => [uuid, {}])), true);
      const policy = await compiled(snapshot, "staging");
      const tableFor = (request: object) => JSON.parse(answerText(policy, request)).data[0].policy_table;
      const table = tableFor(asked);
      // Core 4.5 gets groups of its own (rule R8).
      const ask = askServedTable(version === oldestCore ? tableFor({ ...asked, module_config: {} }) : table, version);
      const view = prepareView(snapshot, "staging", undefined, { builds: carBuilds, version });
      for (const uuid of uuids) {
        const entry = table.app_policies[uuid];
        const app = snapshot.apps.byUuid(uuid.toLowerCase());
        if (app === undefined || app.staged === null || entry === null) continue;
        const { rpcs, groups } = buildMatrix(view, app, entryVersion(app.staged));
        expect(groups.map(({ group }) => group)).toEqual(entry.groups);
        for (const group of entry.groups) {
          for (const name of Object.keys(own(table.functional_groupings, group).rpcs ?? {})) {
            expect(rpcs.map((row) => row.name)).toContain(name);
          }
        }
        for (const { name, cells, parameters } of rpcs) {
          expect(cells.map(({ level }) => level)).toEqual(hmiLevels);
          for (const { level, is_granted, builds, reason, is_asked, differs } of cells) {
            expect(builds).toEqual(ask(entry, name, level, null));
            expect(is_granted).toBe(builds.regular && builds.external);
            expect(differs !== null).toBe(builds.regular !== builds.external);
            expect(reason !== null).toBe(is_asked && !is_granted);
            if (is_granted) granted += 1;
          }
          for (const parameter of parameters.filter(({ kind }) => kind === "parameter")) {
            for (const { level, is_granted, builds } of parameter.cells) {
              expect(builds).toEqual(ask(entry, name, level, parameter.name));
              expect(is_granted).toBe(builds.regular && builds.external);
            }
          }
        }
      }
    }),
    { numRuns: runs(150, 50) },
  );
  expect(granted).toBeGreaterThan(atLeast(10));
});

const permissions = [
  aPermission({ name: "Alert" }),
  aPermission({ name: "GetVehicleData" }),
  aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
  aPermission({ name: "CLIMATE", type: "MODULE", parents: ["GetInteriorVehicleData"] }),
];

describe("L15: the matrix of an app", () => {
  const matrixOf = (groups: readonly Partial<SnapshotGroup>[], version: Partial<SnapshotAppVersion>) => {
    const stored = groups.map((group, index) => aGroup({ id: index + 2, name: `G${index}`, ...group }));
    const view = prepareView(
      aSnapshot({
        groups: inBothViews(aBaseGroup({ rpcs: [] }), ...stored),
        messages: inBothViews(aMessage()),
        permissions,
      }),
      "production",
    );
    return buildMatrix(view, anApp(), anAppVersion(version));
  };
  const cellOf = (cells: readonly { readonly level: string }[] | undefined, level: string) =>
    cells?.find((one) => one.level === level);

  it("L15: says what was asked, granted, and granted after consent only", () => {
    const alert = [anRpc({ name: "Alert", levels: ["FULL", "LIMITED"] })];
    const [row] = matrixOf([{ rpcs: alert, userConsentPrompt: "Location" }], {
      permissions: [
        { key: "Alert", hmiLevel: "HMI_FULL" },
        { key: "Alert", hmiLevel: "HMI_BACKGROUND" },
      ],
    }).rpcs;
    const prompted = {
      ...{ is_granted: true, builds: { regular: true, external: true }, needs_consent: true, differs: null },
      ...{ prompts: ["Location"], groups: ["G0"], reason: null, conditions: [] },
    };
    expect(cellOf(row?.cells, "FULL")).toEqual({ level: "FULL", is_asked: true, ...prompted });
    expect(cellOf(row?.cells, "LIMITED")).toEqual({ level: "LIMITED", is_asked: false, ...prompted });
    expect(cellOf(row?.cells, "BACKGROUND")).toMatchObject({
      is_asked: true,
      is_granted: false,
      reason: "G0 allows it at FULL and LIMITED only.",
    });
    expect(cellOf(row?.cells, "NONE")).toMatchObject({ is_asked: false, is_granted: false, reason: null });
  });

  it("L15: shows parameters and modules below their RPCs, also those that no group holds", () => {
    const { rpcs, withheld } = matrixOf([], {
      permissions: [
        { key: "gps", hmiLevel: "HMI_FULL" },
        { key: "CLIMATE", hmiLevel: "HMI_FULL" },
      ],
    });
    expect(rpcs.map(({ name, parameters }) => [name, parameters.map((one) => `${one.kind} ${one.name}`)])).toEqual([
      ["GetInteriorVehicleData", ["module CLIMATE"]],
      ["GetVehicleData", ["parameter gps"]],
    ]);
    expect(cellOf(rpcs[1]?.parameters[0]?.cells, "FULL")).toMatchObject({
      is_asked: true,
      reason: "No functional group in production allows it.",
    });
    expect(withheld.map(({ permission }) => permission)).toEqual(["gps", "CLIMATE"]);
  });
});

describe("L16: what cars make of several groups", () => {
  const vehicleData = (parameters: readonly string[], level: HmiLevel = "BACKGROUND") => [
    anRpc({ name: "GetVehicleData", levels: [level], parameters }),
  ];
  const empty = { name: "Empty", isDefault: true, rpcs: vehicleData([]) };
  const location = { name: "Location", isDefault: true, rpcs: vehicleData(["gps"]) };
  function cellsAt(groups: readonly Partial<SnapshotGroup>[], level: HmiLevel) {
    const version = { permissions: [{ key: "GetVehicleData", hmiLevel: "HMI_BACKGROUND" }] } as const;
    const snapshot = roadtuneSnapshot({ base: aBaseGroup({ rpcs: [] }), groups, version, app: {} }, { permissions });
    const [row] = buildMatrix(prepareView(snapshot, "production"), anApp(), anAppVersion(version)).rpcs;
    const at = <T extends { readonly level: HmiLevel }>(cells: readonly T[] | undefined) =>
      cells?.find((cell) => cell.level === level);
    return { rpc: at(row?.cells), gps: at(row?.parameters.find(({ name }) => name === "gps")?.cells) };
  }

  it("C1: a list without a parameter takes the RPC away in regular cars, and the group that does is named", () =>
    expect(cellsAt([empty, location], "BACKGROUND").gps).toMatchObject({
      builds: { regular: false, external: true },
      is_granted: false,
      differs: "Regular head units (PROPRIETARY, HTTP) forbid GetVehicleData: Empty lists it without any parameter.",
    }));

  it("C4: all cars forbid an RPC that no group lists with a parameter", () =>
    expect(cellsAt([empty], "BACKGROUND").rpc).toMatchObject({
      builds: { regular: false, external: false },
      reason: "All head units forbid GetVehicleData: Empty lists it without any parameter.",
    }));

  it("C3: groups that give a level and a parameter only together are named", () => {
    const full = { name: "Fuel", isDefault: true, rpcs: vehicleData(["fuelLevel"], "FULL") };
    expect(cellsAt([full, location], "FULL").gps).toMatchObject({
      builds: { regular: false, external: true },
      differs:
        "External head units (EXTERNAL_PROPRIETARY) allow it: they join FULL of Fuel and the parameters of Location.",
    });
  });
});
