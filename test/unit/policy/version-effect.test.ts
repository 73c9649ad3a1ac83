import fc from "fast-check";
import { expect, it } from "vitest";
import { comparePermits, listPermitChanges } from "@/lib/policy/effect/permit-changes";
import { servedState } from "@/lib/policy/effect/side";
import { versionEffect } from "@/lib/policy/effect/version-effect";
import { permitsOfBuilds, carsOf, readPermitTable } from "@/lib/policy/permits/car";
import { readCarSettings } from "@/lib/policy/permits/conditions";
import type { Permits } from "@/lib/policy/permits/permits";
import { listApps } from "@/lib/policy/snapshot/app-index";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { carBuilds } from "@/lib/vocabulary/head-units";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  aMessage,
  aPermission,
  anApp,
  anAppVersion,
  anRpc,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";
import { withoutRejected } from "@/test/support/car-tables";
import { atLeast, runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";

async function served(snapshot: PolicySnapshot, uuid: string, types?: unknown) {
  const policy = await compiled(snapshot, "production");
  const table = JSON.parse(answerText(policy, shortenedTable({ [uuid]: {} }, true))).data[0].policy_table;
  const entry = table.app_policies[uuid];
  // An app without an entry of its own registers with its types.
  const own =
    entry === "default" ? { ...table.app_policies.default, ...(types !== undefined && { AppHMIType: types }) } : entry;
  const groups: string[] = own === null ? [] : own.groups;
  const permits = permitsOfBuilds(carsOf(readPermitTable(table)), groups);
  const left = (of: Permits) => (own === null ? of : withoutRejected(of, own, readCarSettings(table)));
  const possible = { regular: left(permits.regular), external: left(permits.external) };
  return {
    permits: possible,
    groups,
    types: entry === "default" || entry?.AppHMIType.length === 0 ? undefined : entry?.AppHMIType,
  };
}

it("L30: an approval does what the served tables before and after it say", async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(randomSnapshot, async (snapshot) => {
      const stored = [...listApps(snapshot.apps)];
      const states = [...stored, ...stored.map((app) => ({ ...app, accepted: null, isBlacklisted: false }))];
      for (const app of states) {
        const approved: SnapshotApp = { ...app, accepted: app.staged };
        const is = await served({ ...snapshot, apps: aCatalogue([approved]) }, app.uuid);
        const was = await served({ ...snapshot, apps: aCatalogue([app]) }, app.uuid, is.types);
        const [old, next] = [servedState(app, "production"), servedState(approved, "production")];
        const effect = versionEffect(snapshot, "production", old, next, carBuilds);
        expect(effect.rights).toEqual(listPermitChanges(was.permits, is.permits, carBuilds));
        expect(effect.groupsGained).toEqual(is.groups.filter((name) => !was.groups.includes(name)));
        expect(effect.areas.length === 0).toBe(effect.rights.length === 0);
        const { gained } = comparePermits(was.permits, is.permits, carBuilds);
        expect(effect.areas.some(({ kind }) => kind === "gained")).toBe(gained.length > 0);
        changed += effect.rights.length;
      }
    }),
    { numRuns: runs(200, 60) },
  );
  expect(changed).toBeGreaterThan(atLeast(10));
});

const gps = anRpc({ name: "GetVehicleData", levels: ["FULL"], parameters: ["gps"] });
const snapshot = aSnapshot({
  groups: inBothViews(
    aBaseGroup({ userConsentPrompt: "Location" }),
    aGroup({ id: 2, name: "Location-1", userConsentPrompt: "Location", rpcs: [gps] }),
  ),
  messages: inBothViews(aMessage()),
  permissions: [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] })],
});
const asking = anAppVersion({ permissions: [{ key: "gps", hmiLevel: "HMI_FULL" }] });
const plain = { isBlocked: false, isAdministratorApp: false, priority: null };

it("L30: a first version is compared with what every app gets, of which the driver is not asked", () => {
  const effect = versionEffect(
    snapshot,
    "production",
    servedState(null, "production"),
    { ...plain, version: asking },
    carBuilds,
  );
  expect(effect.areas).toEqual([{ area: "location", kind: "gained", extent: "whole", names: ["gps"] }]);
  expect(effect.groupsGained).toEqual(["Location-1"]);
  expect(effect.asked.map(({ group }) => group)).toEqual(["Base", "Location-1"]);
});

it("L30: a blocked app loses even what every app gets", () => {
  const app = anApp({ versions: [asking] });
  const blocked = servedState({ ...app, isBlacklisted: true }, "production");
  const effect = versionEffect(snapshot, "production", servedState(app, "production"), blocked, carBuilds);
  expect(effect.areas.map(({ area, kind }) => `${kind} ${area}`)).toEqual(["lost location", "lost other"]);
  expect(effect.groupsLost).toEqual(["Base", "Location-1"]);
});

it("L30, C16 to C18: what cars reject is no gain, but is told with its cure", () => {
  const remote = ["ButtonPress", "SetInteriorVehicleData"].map((name) => anRpc({ name, levels: ["FULL"] }));
  const alert = anRpc({ name: "Alert", levels: ["FULL", "BACKGROUND"] });
  const state = aSnapshot({
    groups: inBothViews(aBaseGroup(), aGroup({ id: 2, name: "Remote", rpcs: [...remote, alert] })),
    permissions: [aPermission()],
  });
  const version = anAppVersion({
    permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" }],
    categories: [{ id: 1, name: "SYSTEM" }],
  });
  const none = { ...plain, version: null };
  const rejectedOf = (priority: SnapshotApp["priority"]) => {
    const { rights, rejected } = versionEffect(state, "production", none, { ...plain, priority, version }, carBuilds);
    return { rights: rights.map(({ rpc, levels }) => [rpc, levels]), rejected };
  };
  const types = {
    ...{ rule: "C17", rpcs: ["ButtonPress", "SetInteriorVehicleData"] },
    ...{ message: "its AppHMIType lacks REMOTE_CONTROL", cure: expect.stringContaining("REMOTE_CONTROL") },
  };
  expect(rejectedOf("NONE")).toMatchObject({
    rights: [["Alert", ["FULL"]]],
    rejected: [{ rule: "C16", rpcs: ["Alert"] }, types, { rule: "C18", rpcs: types.rpcs }],
  });
  expect(rejectedOf("NORMAL")).toMatchObject({
    rights: [["Alert", ["BACKGROUND", "FULL"]]],
    rejected: [types, { rule: "C18", rpcs: types.rpcs }],
  });
});
