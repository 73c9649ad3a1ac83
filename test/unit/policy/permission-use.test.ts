import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareUse, type Permission } from "@/lib/policy/effect/permission-use";
import { vehicleDataNames } from "@/lib/policy/permits/car";
import { carSettings } from "@/lib/policy/permits/conditions";
import type { PolicySnapshot, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { type CarBuild, carBuilds } from "@/lib/vocabulary/head-units";
import { type Environment, hmiLevels } from "@/lib/vocabulary/terms";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
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

const uuids = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002", "11111111aa"];
const prepare = (
  snapshot: PolicySnapshot,
  environment: Environment,
  permission: Permission,
  builds: readonly CarBuild[] = carBuilds,
) =>
  prepareUse(
    { ...snapshot, items: vehicleDataNames(snapshot, environment), settings: carSettings(snapshot, environment) },
    environment,
    permission,
    builds,
  );

it("L20: says of each app at which levels cars permit it by the served table, for RPCs and parameters", async () => {
  let permitted = 0;
  const permissions = fc.record({
    rpc: fc.constantFrom("Show", "Alert", "GetVehicleData", "OnVehicleData", "SubscribeVehicleData", "constructor"),
    parameter: fc.option(fc.constantFrom("gps", "speed", "vin", "cabinScent", "alpha", "unheardOf")),
  });
  const environments = fc.constantFrom("staging", "production");
  await fc.assert(
    fc.asyncProperty(randomSnapshot, environments, permissions, async (snapshot, environment, permission) => {
      const asked = shortenedTable(Object.fromEntries(uuids.map((uuid) => [uuid, {}])), true);
      const { policy_table: table } = JSON.parse(answerText(await compiled(snapshot, environment), asked)).data[0];
      const ask = askServedTable(table);
      const { useOf } = prepare(snapshot, environment, permission);
      for (const uuid of uuids) {
        const app = snapshot.apps.byUuid(uuid.toLowerCase());
        if (app === undefined) continue;
        const { levels, differing } = useOf(app);
        for (const level of hmiLevels) {
          const { regular, external } = ask(table.app_policies[uuid], permission.rpc, level, permission.parameter);
          expect(levels.includes(level)).toBe(regular && external);
          expect(differing.includes(level)).toBe(regular !== external);
          if (regular || external) permitted += 1;
        }
      }
    }),
    { numRuns: runs(300, 200) },
  );
  expect(permitted).toBeGreaterThan(atLeast(10));
});

describe("L20: the groups of a permission", () => {
  const permissions = [
    aPermission({ name: "GetVehicleData" }),
    aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
  ];
  const reads = (parameters: readonly string[]) => [anRpc({ name: "GetVehicleData", levels: ["FULL"], parameters })];
  const use = (permission: Permission, groups: readonly Partial<SnapshotGroup>[], builds?: readonly CarBuild[]) => {
    const stored = groups.map((group, index) => aGroup({ id: index + 2, name: `G${index}`, ...group }));
    const app = anApp({ accepted: anAppVersion({ permissions: [{ key: "gps", hmiLevel: "HMI_FULL" }] }) });
    const all = inBothViews(aBaseGroup({ rpcs: [] }), ...stored);
    const snapshot = aSnapshot({ groups: all, permissions, apps: aCatalogue([app]) });
    const found = prepare(snapshot, "production", permission, builds);
    return {
      groups: found.groups.map(({ group, levels, isVeto }) => [group.name, levels, isVeto]),
      use: found.useOf(app),
    };
  };
  const gps = { rpc: "GetVehicleData", parameter: "gps" };

  it("names those that list it, with their levels, and leaves out those whose prompt no table has", () => {
    const { groups } = use(gps, [
      { rpcs: reads(["gps"]) },
      { rpcs: reads(["speed"]) },
      { rpcs: reads(["gps"]), userConsentPrompt: "Missing" },
    ]);
    expect(groups).toEqual([["G0", ["FULL"], false]]);
  });

  it("names those that forbid it to regular cars, and where builds differ says so", () => {
    // The app gets the group without parameters because everybody does.
    const veto = { rpcs: reads([]), isDefault: true };
    const both = use(gps, [{ rpcs: reads(["gps"]) }, veto]);
    expect(both.groups).toEqual([
      ["G0", ["FULL"], false],
      ["G1", [], true],
    ]);
    expect(both.use).toEqual({ levels: [], differing: ["FULL"] });
    expect(use(gps, [{ rpcs: reads(["gps"]) }, veto], ["external"]).use).toEqual({ levels: ["FULL"], differing: [] });
  });

  it("gives a blocked app nothing, and an app without an entry of its own what every app has", () => {
    const groups = inBothViews(aBaseGroup({ rpcs: [anRpc({ name: "Show", levels: ["FULL"] })] }));
    const { useOf, everyApp } = prepare(aSnapshot({ groups }), "production", { rpc: "Show", parameter: null });
    expect(everyApp).toEqual({ levels: ["FULL"], differing: [] });
    expect(useOf(anApp({ accepted: null }))).toEqual(everyApp);
    expect(useOf(anApp({ isBlacklisted: true }))).toEqual({ levels: [], differing: [] });
  });
});
