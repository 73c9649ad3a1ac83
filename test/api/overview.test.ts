import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import * as overview from "@/app/api/v1/ui/overview/route";
import { loadOverview } from "@/app/(console)/(overview)/queries";
import { waitingKinds } from "@/app/(console)/(overview)/answer-schema";
import { allVehicles, type Count, type Dimension } from "@/lib/fleet/dimensions";
import { addCounts } from "@/lib/fleet/stored-counts";
import type { Principal } from "@/lib/platform/auth/principal";
import type { Environment } from "@/lib/vocabulary/terms";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApprovalRequestModel } from "@/models/approval-request";
import { AuditEventModel } from "@/models/audit-event";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { ReleaseModel } from "@/models/release";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { fetchQuery } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { runs, seed } from "@/test/support/extent";
import { useSettings } from "@/test/support/settings";
import {
  store,
  storeAppVersion,
  storeFlags,
  storeGroup,
  storeModuleConfig,
  storePermission,
} from "@/test/support/stored-records";

/* The first page of the console (`people.md` P18). */

withDatabase();
beforeEach(async () => {
  useSettings();
  await emptyDatabase();
});

const hourMs = 3_600_000;
const reader: Principal = {
  ...{ id: "oidc|https://id.example|paula", name: "Paula", isVerified: true },
  ...{ proof: "session", role: "publisher" },
};
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs);
const author = { actor: "editor", displayName: "Eddie", isNameVerified: true };

const ends = { expired: -1, ending: 5, valid: 100 } as const;
const end = fc.constantFrom("expired", "ending", "valid");
const some = <T>(one: fc.Arbitrary<T>, maxLength = 4) => fc.array(one, { maxLength });
const state = fc.record({
  apps: some(fc.record({ status: fc.constantFrom("PENDING", "STAGING", "ACCEPTED"), isBlocked: fc.boolean() })),
  groups: some(fc.constantFrom("same", "edited", "new", "removed")),
  permissions: fc.subarray(["Show", "Alert", "Speak", "Slider"]),
  approvals: some(fc.constantFrom("mine", "void", "open")),
  scheduled: some(fc.constantFrom("waiting", "stopped")),
  certificates: some(end),
  module: fc.option(end),
  unreadable: fc.nat(3),
  hasFailedTask: fc.boolean(),
  events: some(
    fc.record({
      /** In hours. */
      age: fc.constantFrom(1, 23, 25, 100),
      who: fc.constantFrom("Ada", "Eddie"),
      action: fc.constantFrom("groups.save", "messages.save", "login.succeed", "seed.save", "groups.promote"),
    }),
    130,
  ),
});
type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

async function storeState(given: State): Promise<void> {
  await store(async (tx) => {
    for (const [at, { status, isBlocked }] of given.apps.entries()) {
      await storeAppVersion(tx, `app-${at}`, status);
      if (isBlocked) await storeFlags(tx, `app-${at}`, { isBlacklisted: true });
    }
    for (const [at, kind] of given.groups.entries()) {
      const name = `Group-${at}`;
      if (kind !== "new") await storeGroup(tx, { name, status: "PRODUCTION" });
      if (kind !== "same") await storeGroup(tx, { name, isDeleted: kind === "removed" });
    }
    for (const name of given.permissions) await storePermission(tx, name);
    if (given.module) await storeModuleConfig(tx, "PRODUCTION", { expirationTs: inHours(ends[given.module]) });
  });
  const wanted = {
    digest: { sum: createHash("sha256").update("[]").digest("hex"), parts: [] },
    author,
    askedAt: inHours(-1),
    items: [],
  };
  await ApprovalRequestModel.insertMany(
    given.approvals.map((kind, at) => ({
      ...{ _id: at + 1, kind: "decision", ...wanted, askedBy: [kind === "mine" ? reader.id : "somebody"] },
      at: kind === "void" ? inHours(-1) : null,
      decision: { approvalStatus: "ACCEPTED" },
    })),
  );
  await ScheduledReleaseModel.insertMany(
    given.scheduled.map((one, at) => ({ _id: at + 1, state: one, at: inHours(at + 1), author, items: [] })),
  );
  await AppCertificateModel.insertMany(
    given.certificates.map((one, at) => {
      return { _id: `app-${at}`, container: "x", expirationTs: inHours(ends[one]), createdAt: inHours(-100) };
    }),
  );
  await WebhookJobModel.insertMany(
    Array.from({ length: given.unreadable }, (_, at) => ({
      ...{ _id: `job-${at}`, dueAt: new Date(), deliveries: 1, attempts: 1, lastError: "name is missing" },
    })),
  );
  if (given.hasFailedTask) await DirectoryTaskModel.insertMany([{ _id: "applications", state: "failed" }]);
  await AuditEventModel.deleteMany({});
  await AuditEventModel.insertMany(
    given.events
      .toSorted((a, b) => b.age - a.age)
      .map(({ age, who, action }, at) => ({
        ...{ _id: at + 1, at: inHours(-age), revision: 1, actor: "admin", displayName: who, route: "r", action },
        ...{ target: targetOf[action] ?? `group:${at}` },
        // One transaction for all that the release made.
        ...(action === "groups.promote" && age === 1 && { revision: 2, at: releasedAt }),
      })),
  );
  await ReleaseModel.insertMany([
    { _id: 1, kind: "release", at: inHours(-30), revision: 1, author, items: [] },
    { _id: 2, kind: "release", at: releasedAt, revision: 2, author, items: [] },
  ]);
}

const releasedAt = inHours(-1);
const targetOf: Readonly<Record<string, string>> = { "login.succeed": "login", "seed.save": "step:8" };

function countNews(given: State): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { age, who, action } of given.events) {
    if (age > 24 || action in targetOf || (action === "groups.promote" && age === 1)) continue;
    const key = `${who} ${action}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function countWaiting(given: State) {
  const count = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length;
  const ofApps = (status: string) => count(given.apps, (app) => app.status === status && !app.isBlocked);
  const ofEnds = (kind: keyof typeof ends) => count([...given.certificates, given.module], (one) => one === kind);
  const hasShow = given.groups.some((kind) => kind !== "new");
  const counts: Readonly<Record<string, number>> = {
    expired_certificates: ofEnds("expired"),
    stopped_releases: count(given.scheduled, (one) => one === "stopped"),
    approvals: count(given.approvals, (one) => one === "open"),
    applications: ofApps("PENDING"),
    changes: ofApps("STAGING") + count(given.groups, (kind) => kind !== "same"),
    ending_certificates: ofEnds("ending"),
    failed_tasks: Number(given.hasFailedTask),
    unreadable_applications: given.unreadable,
    unmapped_permissions: count(given.permissions, (name) => name !== "Show" || !hasShow),
    others_approvals: count(given.approvals, (one) => one !== "open"),
    scheduled_releases: count(given.scheduled, (one) => one === "waiting"),
  };
  return waitingKinds.flatMap((kind) => ((counts[kind] ?? 0) > 0 ? [[kind, counts[kind]]] : []));
}

it("P18: every count is that of the records, the riskiest first", () =>
  fc.assert(
    fc.asyncProperty(state, async (given) => {
      await emptyDatabase();
      await storeState(given);
      const { waiting, applications, changes, since, scheduled } = await loadOverview(reader, new Date());
      expect(waiting.map(({ kind, count }) => [kind, count])).toEqual(countWaiting(given));
      expect(applications).toHaveLength(Math.min(5, waiting.find(({ kind }) => kind === "applications")?.count ?? 0));
      expect(changes).toHaveLength(Math.min(5, waiting.find(({ kind }) => kind === "changes")?.count ?? 0));
      expect(new Map(since.kinds.map(({ event, count }) => [`${event.display_name} ${event.action}`, count]))).toEqual(
        countNews(given),
      );
      expect(since.has_more).toBe(false);
      expect(scheduled).toHaveLength(given.scheduled.length);
    }),
    { numRuns: runs(200, 40), seed },
  ));

describe("P18: what is shown", () => {
  const nothing: State = {
    ...{ apps: [], groups: [], permissions: [], approvals: [], scheduled: [], certificates: [], events: [] },
    ...{ module: null, unreadable: 0, hasFailedTask: false },
  };
  const pathsOf = async (given: Partial<State>, as: Principal | null = reader) => {
    await emptyDatabase();
    await storeState({ ...nothing, ...given });
    return (await loadOverview(as, new Date())).waiting.map(({ kind, path }) => [kind, path]);
  };

  it("counts the newest 5,000 events, by the newest of each kind, and says that there are more", async () => {
    const anEvent = (id: number, hours: number, action: string) => {
      return { _id: id, at: inHours(hours), revision: 1, actor: "admin", route: "r", action, target: `group:${id}` };
    };
    const since = async () => {
      const { kinds, has_more: hasMore } = (await loadOverview(reader, new Date())).since;
      return [kinds.map(({ event, count }) => [event.action, event.target, count]), hasMore];
    };
    await AuditEventModel.insertMany(Array.from({ length: 4_999 }, (_, at) => anEvent(at + 2, -2, "groups.save")));
    await AuditEventModel.insertMany([anEvent(5_001, -1, "messages.save"), anEvent(1, -25, "groups.save")]);
    const kinds = [
      ["messages.save", "group:5001", 1],
      ["groups.save", "group:5000", 4_999],
    ];
    expect(await since()).toEqual([kinds, false]);
    await AuditEventModel.updateOne({ _id: 1 }, { at: inHours(-3) });
    expect(await since()).toEqual([kinds, true]);
  });

  it("leads directly to the one thing that waits", async () => {
    expect(await pathsOf({ approvals: ["mine", "open"] })).toEqual([
      ["approvals", "/changes?approval=2"],
      ["others_approvals", "/changes"],
    ]);
    expect(await pathsOf({ certificates: ["valid", "expired"] })).toEqual([
      ["expired_certificates", "/applications/app-1"],
    ]);
    expect(await pathsOf({ certificates: ["expired", "ending"] })).toEqual([
      ["expired_certificates", "/applications/app-0"],
      ["ending_certificates", "/applications/app-1"],
    ]);
    expect(await pathsOf({ certificates: ["expired"], module: "expired" })).toEqual([
      ["expired_certificates", "/moduleconfig?environment=production"],
    ]);
  });

  it("of requests, nobody has to approve what their role does not let them", async () =>
    expect(await pathsOf({ approvals: ["open"] }, { ...reader, role: "editor" })).toEqual([
      ["others_approvals", "/changes"],
    ]));

  it("names the next three steps, until something is published", async () => {
    const steps = async () => (await loadOverview(reader, new Date())).steps;
    expect(await steps()).toEqual(["sign_in", "review", "publish"]);
    useSettings({ EXAMPLE_DIRECTORY: "false" });
    expect(await steps()).toEqual(["sign_in", "directory", "review"]);
    const signedIn = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" };
    useSettings(signedIn);
    expect(await steps()).toEqual(["directory", "review", "publish"]);
    useSettings({ ...signedIn, EXAMPLE_DIRECTORY: "true" });
    expect(await steps()).toEqual(["review", "publish", "vehicle"]);
    const release = { at: new Date(), revision: 1, author, items: [] };
    await ReleaseModel.insertMany([{ _id: 1, kind: "first", ...release }]);
    expect(await steps()).toHaveLength(3);
    await ReleaseModel.insertMany([{ _id: 2, kind: "release", ...release }]);
    expect(await steps()).toEqual([]);
  });

  it("S7: shows the fleet of the last 24 hours, once a vehicle has asked", async () => {
    const fleetOf = async () => (await loadOverview(reader, new Date())).fleet;
    expect(await fleetOf()).toBeNull();
    const count = (dimension: Dimension, value: string, counters: Count["counters"], environment: Environment) => {
      return { environment, cell: allVehicles, dimension, value, counters };
    };
    await addCounts(Date.now(), [
      count("answers", "table", { count: 100 }, "production"),
      count("answers", "table", { count: 15 }, "staging"),
      count("releases", "2", { count: 100 }, "production"),
      ...[1, 2, 3, 4, 5, 6].map((at) => count("apps", `app-${at}`, { own: 20 + at }, "production")),
    ]);
    await addCounts(Date.now() - 30 * hourMs, [count("answers", "table", { count: 1_000 }, "production")]);
    const fleet = await fleetOf();
    expect(fleet?.requests.total.table).toBe(100);
    expect(fleet?.requests.steps).toHaveLength(24);
    expect(fleet?.staging.table).toBe(15);
    expect(fleet?.adoption.releases).toEqual([{ release: 2, count: 100, share: 1 }]);
    expect(fleet?.apps.map(({ uuid }) => uuid)).toEqual(["app-6", "app-5", "app-4", "app-3", "app-2"]);
  });

  it("is answered by the route", async () =>
    expect((await fetchQuery(overview.GET)).data).toMatchObject({ waiting: [], served: null }));
});
