import fc from "fast-check";
import { expect, it } from "vitest";
import { listApps } from "@/lib/policy/snapshot/app-index";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { compareApp, compareApps, entryText, productionSide } from "@/lib/releases/review/app-comparison";
import { chooseChanges, listStagedChanges } from "@/lib/releases/review/changes";
import { buildPublished, contentsOf } from "@/lib/releases/review/production";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  anApp,
  anAppVersion,
  anRpc,
  aSnapshot,
  viewsOf,
} from "@/test/support/builders";
import { atLeast, runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";

const pace = () => Promise.resolve();
const publish = (before: PolicySnapshot, changes = listStagedChanges(before)) =>
  buildPublished(before, contentsOf(before, changes), 0);

it("L7: finds the apps whose entries change, or a group that they hold, or that may do something else, as all compared one by one", async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(
      randomSnapshot,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (before, chosen) => {
        const after = publish(
          before,
          listStagedChanges(before).filter((_, at) => chosen[at % 40] === true),
        );
        const found = await compareApps(before, after, pace);
        const [old, now] = [productionSide(before), productionSide(after)];
        const expected = [...listApps(after.apps)].filter((app) => {
          const was = before.apps.byUuid(app.uuid.toLowerCase());
          const isSame = (was === undefined ? null : entryText(was, old)) === entryText(app, now);
          if (!isSame || app.isBlacklisted || app.accepted === null) return !isSame;
          const groups = now.findGroups(app, app.accepted);
          if (groups.some((name) => old.groupTexts.get(name) !== now.groupTexts.get(name))) return true;
          // With the same entry and groups, limits of notifications may let more or fewer alerts into the background (C16).
          return compareApp(before, after, app.uuid.toLowerCase()).rights.length > 0;
        });
        const uuids = (apps: readonly SnapshotApp[]) => apps.map(({ uuid }) => uuid);
        expect(uuids(found.changed)).toEqual(uuids(expected));
        changed += expected.length;
      },
    ),
    { numRuns: runs(600, 200) },
  );
  expect(changed).toBeGreaterThan(atLeast(50));
});

it("L5: nothing waits any more once everything is published", () =>
  fc.assert(
    fc.property(randomSnapshot, (before) => {
      expect(listStagedChanges(publish(before))).toEqual([]);
    }),
    { numRuns: runs(300) },
  ));

const version = anAppVersion({ permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" }] });
const alerts = aGroup({ id: 2, name: "Alerts", rpcs: [anRpc({ name: "Alert" })] });
const rpcs = [anRpc({ name: "Alert" }), anRpc({ name: "Speak", levels: ["NONE"] })];
const stagedAlerts = { ...alerts, id: 3, status: "STAGING" as const, rpcs };
const groups = viewsOf([aBaseGroup(), alerts, stagedAlerts], ({ name }) => name);

it("L7: counts an app whose group gets another content, and tells which rights that are", async () => {
  const app = anApp({ versions: [version] });
  const before = aSnapshot({ groups, apps: aCatalogue([app]) });
  const after = publish(before);
  expect((await compareApps(before, after, pace)).changed).toEqual([app]);
  expect(compareApp(before, after, app.uuid)).toEqual({
    groups_gained: [],
    groups_lost: [],
    rights: [{ rpc: "Speak", kind: "gained", builds: ["regular", "external"], levels: ["NONE"], parameters: [] }],
    rejected: [],
    fields: [],
  });
});

it("L7: tells what an app gets whose staged version is published", async () => {
  const app = anApp({ versions: [anAppVersion(), anAppVersion({ ...version, id: 2, approvalStatus: "STAGING" })] });
  const before = aSnapshot({ groups, apps: aCatalogue([app]) });
  const changes = chooseChanges(listStagedChanges(before), [{ family: "app", key: app.uuid }]);
  expect(changes).toEqual([{ family: "app", key: app.uuid, id: 2, productionId: 1, change: "change" }]);
  const after = publish(before, changes);
  expect((await compareApps(before, after, pace)).changed).toHaveLength(1);
  expect(compareApp(before, after, app.uuid)).toMatchObject({ groups_gained: ["Alerts"], groups_lost: [] });
  // A blocked app gets nothing, whatever is accepted.
  expect(listStagedChanges(aSnapshot({ apps: aCatalogue([{ ...app, isBlacklisted: true }]) }))).toEqual([]);
});

it("L6: tells what head units refuse in the new entry of an app, and not what they refuse already", async () => {
  const odd = anAppVersion({ id: 2, approvalStatus: "STAGING", categories: [{ id: 1, name: "NO SUCH TYPE" }] });
  const of = (...versions: Parameters<typeof anAppVersion>[0][]) => {
    const app = anApp({ versions: versions.map((one) => anAppVersion(one)) });
    const before = aSnapshot({ groups: viewsOf([aBaseGroup()], ({ name }) => name), apps: aCatalogue([app]) });
    return compareApps(before, publish(before), pace);
  };
  const { findings } = await of({}, odd);
  expect(findings.length).toBeGreaterThan(0);
  expect((await of({ ...odd, id: 1, approvalStatus: "ACCEPTED" }, odd)).findings).toEqual([]);
});
