import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReviewCase } from "@/lib/releases/checks/review-case";
import { warnOfLosses } from "@/lib/releases/checks/losses";
import { compareApps, productionSide } from "@/lib/releases/review/app-comparison";
import { listStagedChanges } from "@/lib/releases/review/changes";
import { compareTableRisks, findTableRisks } from "@/lib/releases/review/risks";
import { buildPublished, contentsOf } from "@/lib/releases/review/production";
import { type ByBuild, type CarBuild, carBuilds } from "@/lib/vocabulary/head-units";
import { itemText } from "@/lib/vocabulary/release-items";
import { hmiLevels } from "@/lib/vocabulary/terms";
import { listPermitChanges } from "@/lib/policy/effect/permit-changes";
import { compareByArea } from "@/lib/policy/effect/rights-by-area";
import { carsOf, permitTable } from "@/lib/policy/permits/car";
import { carSettings, defaultEntryFor } from "@/lib/policy/permits/conditions";
import { isPermitted, permits, type Permits } from "@/lib/policy/permits/permits";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { appGroupFinder } from "@/lib/policy/table/app-groups";
import { buildAppEntry, fixedGroups } from "@/lib/policy/table/app-policies";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  aMessage,
  anApp,
  anAppVersion,
  anRpc,
  aSnapshot,
  viewsOf,
} from "@/test/support/builders";
import { withoutRejected } from "@/test/support/car-tables";
import { atLeast, runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";

const pace = () => Promise.resolve();

async function review(before: PolicySnapshot, changes = listStagedChanges(before)) {
  const contents = contentsOf(before, changes);
  const after = buildPublished(before, contents, 0);
  const { changed } = await compareApps(before, after, pace);
  const risks = await findTableRisks(before, after, { apps: changed, builds: carBuilds }, pace);
  const reviewed: ReviewCase = { before, after, contents, waiting: [], now: 0 };
  return { after, risks, warnings: warnOfLosses(reviewed, risks, carBuilds) };
}

function askAll(
  snapshot: PolicySnapshot,
  app: SnapshotApp | undefined,
  other: SnapshotApp | undefined,
): readonly Permits[] {
  const groupsOf = () => {
    if (app?.isBlacklisted) return [];
    if (!app?.accepted) return fixedGroups(snapshot, "production", "default");
    return appGroupFinder(snapshot, "production")(app, app.accepted);
  };
  const names = new Set(groupsOf());
  const cars = carsOf(permitTable(snapshot, "production"));
  const side = productionSide(snapshot);
  const entryOf = (one: SnapshotApp | undefined) =>
    one && one.accepted ? JSON.parse(`${buildAppEntry(one, one.accepted, side)}}`) : null;
  const entry = entryOf(app) ?? defaultEntryFor(JSON.parse(`${side.everyApp}}`), entryOf(other));
  return carBuilds.map((build) => {
    const groups = [...cars[build].groups.values()].filter(({ name }) => names.has(name));
    return withoutRejected(permits(groups, build, "all"), entry, carSettings(snapshot, "production"));
  });
}

const byBuild = (all: readonly Permits[]): ByBuild<Permits> => {
  const of = (build: CarBuild) => all[carBuilds.indexOf(build)] ?? new Map();
  return { regular: of("regular"), external: of("external") };
};

function listMissing(these: readonly Permits[], others: readonly Permits[]): Set<string> {
  const missing = new Set<string>();
  these.forEach((found, at) => {
    for (const [rpc, permit] of found) {
      for (const level of hmiLevels) {
        const permitted = permit[level];
        if (permitted === "no") continue;
        const other: Permits = others[at] ?? new Map();
        const left = other.get(rpc)?.[level] ?? "no";
        const isKept =
          left === "all" ||
          (left !== "no" &&
            permitted !== "all" &&
            permitted.every((parameter) => isPermitted(other, rpc, level, parameter)));
        if (!isKept) missing.add(rpc);
      }
    }
  });
  return missing;
}

it("L7: what apps gain and lose is what permits() says before and afterwards, in random states", async () => {
  let apps = 0;
  await fc.assert(
    fc.asyncProperty(randomSnapshot, async (before) => {
      const { after, risks } = await review(before);
      for (const [app, { rights, loss, areas }] of risks) {
        const earlier = before.apps.byUuid(app.uuid.toLowerCase());
        const [was, is] = [askAll(before, earlier, app), askAll(after, app, earlier)];
        const told = (kind: string) => new Set(rights.flatMap((one) => (one.kind === kind ? one.rpc : [])));
        expect([told("lost"), told("gained")]).toEqual([listMissing(was, is), listMissing(is, was)]);
        // Computed from the RPCs that differ, as far as that is possible, they are the same as from all of them.
        const [old, now] = [byBuild(was), byBuild(is)];
        expect(rights).toEqual(listPermitChanges(old, now, carBuilds));
        expect(areas).toEqual(compareByArea(old, now, carBuilds));
        expect(areas.some(({ kind }) => kind === "lost")).toBe(told("lost").size > 0);
        expect(areas.some(({ kind }) => kind === "gained")).toBe(told("gained").size > 0);
        if (is.every(({ size }) => size === 0) && was.some(({ size }) => size > 0)) expect(loss).toBe("all");
        if (loss !== null) expect(told("lost").size).toBeGreaterThan(0);
        apps++;
      }
    }),
    { numRuns: runs(600, 200) },
  );
  expect(apps).toBeGreaterThan(atLeast(50));
});

it("L7: apps whose permissions do not change at all are not told as losing or gaining", () =>
  fc.assert(
    fc.asyncProperty(randomSnapshot, async (before) => {
      const { after, risks } = await review(before);
      for (const app of listApps(after.apps)) {
        if (risks.has(app)) continue;
        const earlier = before.apps.byUuid(app.uuid.toLowerCase());
        const [was, is] = [askAll(before, earlier, app), askAll(after, app, earlier)];
        // Without an entry of their own apps are not counted: what every app loses is a warning.
        if (app.accepted !== null && !app.isBlacklisted) expect(is).toEqual(was);
      }
    }),
    { numRuns: 200 },
  ));

const staged = { status: "STAGING" } as const;
const version = anAppVersion({ permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" }] });
const alerts = aGroup({ id: 2, name: "Alerts", rpcs: [anRpc({ name: "Alert" })] });
const withGroups = (...groups: Parameters<typeof viewsOf<ReturnType<typeof aGroup>>>[0]) =>
  aSnapshot({
    groups: viewsOf([aBaseGroup(), alerts, ...groups], ({ name }) => name),
    messages: viewsOf([aMessage({ category: "Alerts" })], ({ category }) => category),
    apps: aCatalogue([anApp({ versions: [version] })]),
  });
const told = ({ warnings }: Awaited<ReturnType<typeof review>>) =>
  warnings.map((one) => [one.level, one.rule, itemText(one)]);

it("L7: drivers are newly asked about a group that gets a prompt, not about one that had it", async () => {
  const asking = { ...alerts, id: 3, userConsentPrompt: "Alerts", ...staged };
  const [first] = (await review(withGroups(asking))).risks.values();
  expect(first?.asked).toEqual([{ group: "Alerts", prompt: "Alerts" }]);
  const changed = { ...asking, rpcs: [anRpc({ name: "Alert" }), anRpc({ name: "Speak" })] };
  const records = [aBaseGroup(), { ...alerts, userConsentPrompt: "Alerts" }, changed];
  const known = aSnapshot({ ...withGroups(), groups: viewsOf(records, ({ name }) => name) });
  expect([...(await review(known)).risks.values()].flatMap(({ asked }) => asked)).toEqual([]);
});

it("L7, C5: drivers are asked about an entry with the groups of every app, and not about an app without one", async () => {
  const [limited, approved] = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002"];
  const state = (accepted: string | undefined) =>
    aSnapshot({
      groups: viewsOf([aBaseGroup({ userConsentPrompt: "Alerts" })], ({ name }) => name),
      messages: viewsOf([aMessage({ category: "Alerts" })], ({ category }) => category),
      apps: aCatalogue(
        [limited, approved].map((uuid) => anApp({ uuid, versions: uuid === accepted ? [anAppVersion()] : [] })),
      ),
    });
  const [before, after] = [state(limited), state(approved)];
  const risks = await findTableRisks(before, after, { apps: listApps(after.apps), builds: carBuilds }, pace);
  expect([...risks].map(([{ uuid }, { asked }]) => [uuid, asked.length])).toEqual([
    [limited, 0],
    [approved, 1],
  ]);
});

it("L7: who loses most comes first, and of those the riskiest area", () => {
  const nothing = { rights: [], areas: [], rejected: [], asked: [], loss: null } as const;
  const area = (kind: "gained" | "lost", name: "location" | "other") =>
    ({ area: name, kind, extent: "whole", names: [] }) as const;
  const asking = { ...nothing, asked: [{ group: "A", prompt: "A" }] };
  const inOrder = [
    { ...nothing, loss: "all" as const },
    { ...nothing, loss: "own" as const },
    { ...nothing, areas: [area("gained", "location"), area("lost", "location")] },
    { ...nothing, areas: [area("lost", "other")] },
    { ...asking, areas: [area("gained", "location")] },
    { ...asking, areas: [area("gained", "other")] },
    asking,
    { ...nothing, areas: [area("gained", "location")] },
    { ...nothing, areas: [area("gained", "other")] },
    nothing,
  ];
  expect(inOrder.toReversed().sort(compareTableRisks)).toEqual(inOrder);
});

it("L7, C16: what cars reject is no gain, but is told; with another priority it is one", async () => {
  const background = anRpc({ name: "Alert", levels: ["FULL", "BACKGROUND"] });
  const first = async (priority: SnapshotApp["priority"]) => {
    const state = withGroups({ ...alerts, id: 3, rpcs: [background], ...staged });
    const apps = aCatalogue([anApp({ versions: [version], priority })]);
    return [...(await review({ ...state, apps })).risks.values()].map(({ rights, rejected }) => [
      rights.map(({ rpc, levels }) => [rpc, levels]),
      rejected.map(({ rule, rpcs }) => [rule, rpcs]),
    ]);
  };
  expect(await first("NONE")).toEqual([[[], [["C16", ["Alert"]]]]]);
  expect(await first("NORMAL")).toEqual([[[["Alert", ["BACKGROUND"]]], []]]);
});

describe("L6: losses that one should know of", () => {
  it("a default group that shrinks, with what every app loses", async () => {
    const base = aBaseGroup();
    const smaller = { ...base, id: 6, rpcs: base.rpcs.slice(1), ...staged };
    const records = [alerts, { ...alerts, id: 4, isDefault: true, ...staged }, { ...base, id: 5 }, smaller];
    const { warnings } = await review({ ...withGroups(), groups: viewsOf(records, ({ name }) => name) });
    const [lost] = warnings;
    expect(lost).toMatchObject({ level: "warning", rule: "default group shrinks", family: "group", key: base.name });
    expect(lost?.message).toContain(`loses all or part of 1 RPC (${base.rpcs[0]?.name})`);
    expect(lost?.message).toContain("and so does 1 app with permissions of their own");
  });

  it("a default group that grows is none", async () => {
    const base = aBaseGroup();
    const grown = { ...base, id: 3, rpcs: [...base.rpcs, anRpc({ name: "Speak" })], ...staged };
    expect(told(await review(withGroups(grown)))).toEqual([]);
  });

  it("an app that loses all permissions of its own, by its name", async () => {
    const { warnings, risks } = await review(withGroups({ ...alerts, id: 3, isDeleted: true, ...staged }));
    expect([...risks.values()].map(({ loss }) => loss)).toEqual(["own"]);
    const [app] = risks.keys();
    expect(warnings).toMatchObject([
      { level: "warning", rule: "app loses everything", family: "app", key: app?.uuid, title: version.displayNames[0] },
    ]);
    expect(warnings[0]?.message).toMatch(/loses all permissions of its own$/);
  });

  it("an app that can do nothing any more", async () => {
    const deleted = { isDeleted: true, ...staged };
    const nothing = withGroups({ ...aBaseGroup(), id: 3, ...deleted }, { ...alerts, id: 4, ...deleted });
    const { risks, warnings } = await review(nothing);
    expect([...risks.values()].map(({ loss }) => loss)).toEqual(["all"]);
    const sentence = expect.stringMatching(/^The app ".*" loses everything$/);
    expect(warnings.map(({ message }) => message)).toContainEqual(sentence);
  });

  it("a group that no app gets; not one that some app gets, or every app", async () => {
    const group = (name: string, members: object) => aGroup({ id: 3, name, ...members, ...staged });
    const speaking = group("Speaking", { rpcs: [anRpc({ name: "Speak" })] });
    expect(told(await review(withGroups(speaking)))).toEqual([["warning", "group without apps", "group:Speaking"]]);
    expect(told(await review(withGroups({ ...speaking, rpcs: [anRpc({ name: "Alert" })] })))).toEqual([]);
    expect(told(await review(withGroups({ ...speaking, isDefault: true })))).toEqual([]);
  });
});
