import { inspect } from "node:util";
import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import * as actionRoute from "@/app/api/v1/applications/action/route";
import * as administratorRoute from "@/app/api/v1/applications/administrator/route";
import * as autoRoute from "@/app/api/v1/applications/auto/route";
import * as grantRoute from "@/app/api/v1/applications/groups/route";
import * as hybridRoute from "@/app/api/v1/applications/hybrid/route";
import * as priorityRoute from "@/app/api/v1/applications/priority/route";
import * as passthroughRoute from "@/app/api/v1/applications/passthrough/route";
import * as encryptionRoute from "@/app/api/v1/applications/rpcEncryption/route";
import * as serviceRoute from "@/app/api/v1/applications/service/permission/route";
import * as exchangeRoute from "@/app/api/v1/exchange/route";
import * as groupsRoute from "@/app/api/v1/groups/route";
import * as promoteRoute from "@/app/api/v1/groups/promote/route";
import * as approvalRoute from "@/app/api/v1/releases/approvals/[id]/route";
import * as freezeRoute from "@/app/api/v1/releases/freeze/route";
import * as returnRoute from "@/app/api/v1/releases/[n]/return/route";
import * as releasesRoute from "@/app/api/v1/releases/route";
import * as scheduledRoute from "@/app/api/v1/releases/scheduled/[id]/route";
import * as tokensRoute from "@/app/api/v1/tokens/route";
import { saveFlag } from "@/lib/apps/applications/commands";
import { administratorBody } from "@/lib/apps/applications/schema";
import { findHeadIds, findHeads } from "@/lib/platform/db/heads";
import { log } from "@/lib/platform/log";
import { isObject } from "@/lib/policy/head-unit/values";
import { carOf, readPermitTable } from "@/lib/policy/permits/car";
import type { Permits, Permitted } from "@/lib/policy/permits/permits";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { route, type RouteHandler } from "@/app/_api/api-route";
import { carBuilds } from "@/lib/vocabulary/head-units";
import { appPriorities, hmiLevels } from "@/lib/vocabulary/terms";
import { recordItems } from "@/lib/records/families";
import { snakeName } from "@/lib/vocabulary/members";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";
import { ApprovalRequestModel } from "@/models/approval-request";
import { AuditEventModel } from "@/models/audit-event";
import { ReleaseModel } from "@/models/release";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import { setFlags, storeApp, storeServiceType } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRecord, processNow } from "@/test/support/directory";
import { runs, seed } from "@/test/support/extent";
import { asPerson, callAs, usePeople } from "@/test/support/people";
import { neededBodies, publishAll, publishFirst, rpcBody, stageGroup } from "@/test/support/releases";
import { useSettings } from "@/test/support/settings";
import { withToken } from "@/test/support/tokens";

/* Whatever one human does, in whatever order: no app may do more in production (`gate.md`, proof). */

withDatabase();
beforeEach(() => {
  for (const level of ["warn", "error", "info"] as const) vi.spyOn(log, level).mockImplementation(() => undefined);
});

const uuids = [1, 2, 3, 4, 5].map((nth) => `${String(nth).repeat(8)}-aaaa-4bbb-8ccc-00000000000${nth}`);
let versions: readonly number[] = [];

async function prepare(): Promise<void> {
  await emptyDatabase();
  await publishFirst();
  await storeServiceType("MEDIA", ["ButtonPress", "GetFile"]);
  await stageGroup("Admins", { is_administrator_group: true, rpcs: [rpcBody("Alert", ["FULL"])] });
  await stageGroup("Extra", { is_proprietary_group: true, rpcs: [rpcBody("GetVehicleData", ["FULL"], ["gps"])] });
  await publishAll();
  const [accepted, sealed, pending, blocked, limited] = uuids as [string, string, string, string, string];
  versions = [
    await storeApp(accepted, "ACCEPTED"),
    await storeApp(sealed, "ACCEPTED", { encryptionRequired: true, groupGrants: ["Extra"] }),
    await storeApp(pending, "PENDING"),
    await storeApp(blocked, "ACCEPTED"),
    await storeApp(limited, "LIMITED"),
  ];
  await setFlags(sealed, { isAdministratorApp: true });
  await setFlags(blocked, { isBlacklisted: true });
}

const from = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const nth = fc.nat(4);
const isOn = fc.boolean();
const days = from(-1, 1, 2, 30);
const inDays = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

type Call = readonly [
  handler: RouteHandler,
  body: unknown,
  more?: { method?: string; params?: Record<string, string> },
];
type Act = () => Call | null | Promise<Call | null>;
const act = <T>(values: fc.Arbitrary<T>, make: (value: T) => ReturnType<Act>): fc.Arbitrary<Act> =>
  values.map((value) => () => make(value));

const group = fc.record({
  name: from("Base", "Admins", "Extra", "More"),
  is_default: isOn,
  is_administrator_group: isOn,
  is_proprietary_group: isOn,
  is_deleted: from(false, false, false, true),
  encryption_required: isOn,
  user_consent_prompt: from(null, null, "Location"),
  rpcs: fc
    .uniqueArray(from("Alert", "Show", "GetVehicleData", "Speak"))
    .map((names) => [
      ...neededBodies,
      ...names.map((name) => rpcBody(name, ["FULL"], name === "GetVehicleData" ? ["gps", "speed"] : [])),
    ]),
});
const flags = {
  administrator: [administratorRoute.POST, "is_administrator_app"],
  passthrough: [passthroughRoute.POST, "allow_unknown_rpc_passthrough"],
  auto: [autoRoute.POST, "is_auto_approved_enabled"],
} as const;
const appItem = fc.record(
  {
    uuid: from(...uuids),
    is_auto_approved_enabled: isOn,
    is_administrator_app: isOn,
    allow_unknown_rpc_passthrough: isOn,
    is_blacklisted: isOn,
    priority: from(...appPriorities),
    versions: fc
      .tuple(nth, from("ACCEPTED", "STAGING", "LIMITED", "PENDING"), fc.subarray(["Extra", "Admins"]), isOn)
      .map(([at, approval_status, groups, encryption_required]) => [
        { version: versions[at] ?? 0, approval_status, groups, encryption_required },
      ]),
  },
  { requiredKeys: ["uuid", "versions"] },
);

async function nthOf(ids: Promise<readonly { readonly _id: number }[]>, at: number): Promise<string | null> {
  const all = await ids;
  return all.length === 0 ? null : String(all[at % all.length]?._id);
}
const waiting = (at: number) => nthOf(ApprovalRequestModel.find({}, { _id: 1 }).lean(), at);
const scheduled = (at: number) => nthOf(ScheduledReleaseModel.find({}, { _id: 1 }).lean(), at);

const acts: fc.Arbitrary<Act> = fc.oneof(
  act(group, (body) => [groupsRoute.POST, body]),
  act(isOn, async (isForced) => [promoteRoute.POST, { id: await findHeadIds("group", "staging"), force: isForced }]),
  act(fc.option(days), (at) => [
    releasesRoute.POST,
    { items: "all", force: true, reason: "walk", ...(at !== null && { at: inDays(at) }) },
  ]),
  act(fc.integer({ min: 1, max: 4 }), (n) => [
    returnRoute.POST,
    { force: true, reason: "walk" },
    { params: { n: `${n}` } },
  ]),
  act(fc.tuple(nth, from("ACCEPTED", "LIMITED", "STAGING", "PENDING"), fc.option(isOn)), ([at, status, blacklist]) => [
    actionRoute.POST,
    { id: versions[at], approval_status: status, force: true, ...(blacklist !== null && { blacklist }) },
  ]),
  act(fc.tuple(nth, from(...(["administrator", "passthrough", "auto"] as const)), isOn), ([at, name, on]) => [
    flags[name][0],
    { uuid: uuids[at], [flags[name][1]]: on },
  ]),
  act(fc.tuple(nth, from("CLOUD", "MOBILE", "BOTH")), ([at, hybrid_preference]) => [
    hybridRoute.POST,
    { uuid: uuids[at], hybrid_preference },
  ]),
  act(fc.tuple(nth, from(...appPriorities)), ([at, priority]) => [priorityRoute.POST, { uuid: uuids[at], priority }]),
  act(fc.tuple(nth, isOn), ([at, on]) => [
    encryptionRoute.PUT,
    { id: versions[at], encryption_required: on },
    { method: "PUT" },
  ]),
  act(fc.tuple(nth, from("Extra", "Admins"), isOn), ([at, name, on]) => [
    grantRoute.PUT,
    { app_id: versions[at], property_name: name, is_selected: on },
    { method: "PUT" },
  ]),
  act(fc.tuple(nth, from("ButtonPress", "GetFile"), isOn), ([at, permission, on]) => [
    serviceRoute.PUT,
    { id: versions[at], service_type_name: "MEDIA", permission_name: permission, is_selected: on },
    { method: "PUT" },
  ]),
  act(fc.array(appItem, { minLength: 1, maxLength: 2 }), (apps) => [
    exchangeRoute.POST,
    { document: { format: "open-policy/1", apps } },
  ]),
  act(nth, async (at) => {
    const id = await waiting(at);
    return id === null ? null : [approvalRoute.POST, undefined, { method: "POST", params: { id } }];
  }),
  act(fc.tuple(nth, days), async ([at, count]) => {
    const id = await scheduled(at);
    return id === null ? null : [scheduledRoute.PATCH, { at: inDays(count) }, { method: "PATCH", params: { id } }];
  }),
  act(from("admin", "publisher"), (role) => [tokensRoute.POST, { name: `of a ${role}`, role }]),
  act(isOn, (on) => [openDoor, { uuid: uuids[0], is_administrator_app: on }]),
);

/** A door that somebody has declared for the wrong role: what it does passes the gate all the same. */
const openDoor = route({
  summary: "Open door",
  needs: "edit",
  input: { body: administratorBody },
  handle: ({ input, writer }) =>
    saveFlag(writer, input.body.uuid, "isAdministratorApp", input.body.is_administrator_app),
});

const surroundings = [
  () => publishDue(new Date(Date.now() + 40 * 86_400_000)),
  async () => {
    const more = { can_steal_focus: true, permissions: [{ key: "Alert", hmi_level: "HMI_FULL" }] };
    lastVersion += 1;
    await processNow(uuids.map((uuid) => aRecord(uuid, { version_id: lastVersion, ...more })));
  },
];
let lastVersion = 1_000;

const step = fc.tuple(fc.nat(9), fc.oneof({ arbitrary: acts, weight: 20 }, from(...surroundings)));

type Headers = Record<string, string>;
async function walk(
  ways: readonly Headers[],
  steps: readonly (readonly [number, Act | (() => Promise<unknown>)])[],
  mayReturn: boolean,
) {
  const own = [...ways];
  let before = await readRights();
  const grown: string[] = [];
  const count = { done: 0, refused: 0 };
  for (const [at, one] of steps) {
    let what = "by itself";
    if (surroundings.includes(one as never)) await one();
    else {
      const call = (await one()) as Call | null;
      if (call === null) continue;
      const [handler, body, more = {}] = call;
      const { status, data } = await callAs(own[at % own.length] ?? {}, handler, { body, ...more });
      what = `${inspect(body, { depth: 6 })} ${inspect(more)} with ${inspect(own[at % own.length])}`;
      expect(status, what).toBeLessThan(500);
      if (typeof data?.token === "string") own.push({ authorization: `Bearer ${data.token}` });
      count[status === 200 ? "done" : "refused"]++;
      if (status !== 200) continue;
      // What a release gave, an app that was decided about since then may get with it (W4).
      if (mayReturn && handler === returnRoute.POST) before = await readRights();
    }
    for (const [name, rights] of await readRights()) grown.push(...growth(name, before.get(name), rights));
    expect(grown, what).toEqual([]);
  }
  return count;
}

interface Rights {
  readonly permits: readonly Permits[];
  /** RPCs that need no encryption. */
  readonly clear: ReadonlySet<string>;
  /** The entry that head units get; null: the app is blocked. */
  readonly entry: Readonly<Record<string, unknown>> | null;
}

async function readRights(): Promise<ReadonlyMap<string, Rights>> {
  const policy = await compiled(await createSnapshotLoader().load(), "production");
  const asked = shortenedTable(Object.fromEntries([...uuids, "nobody"].map((uuid) => [uuid, {}])), true);
  const table = JSON.parse(answerText(policy, asked)).data[0].policy_table;
  const read = readPermitTable(table);
  const cars = carBuilds.map((build) => carOf(read, build));
  const entryOf = (uuid: string) => {
    const entry = Object.hasOwn(table.app_policies, uuid) ? table.app_policies[uuid] : "default";
    return entry === "default" ? table.app_policies.default : entry;
  };
  return new Map(
    [...uuids, "nobody", "device", "pre_DataConsent"].map((uuid) => {
      const entry = entryOf(uuid);
      if (entry === null) return [uuid, { entry, permits: [], clear: new Set<string>() }];
      const groups: any[] = entry.groups.map((name: string) => table.functional_groupings[name]);
      const sealed = groups.filter((one) => one.encryption_required === true && entry.encryption_required !== false);
      const rpcsOf = (list: any[]) => list.flatMap(({ rpcs }) => Object.keys(rpcs ?? {}));
      const closed = new Set(rpcsOf(sealed));
      const clear = new Set(rpcsOf(groups).filter((name) => !closed.has(name)));
      return [uuid, { entry, permits: cars.map((car) => car.permits(entry.groups)), clear }];
    }),
  );
}

/** What somebody has now and had not before: told in a way of its own, not by what the gate compares with. */
function growth(name: string, had: Rights | undefined, has: Rights): string[] {
  if (has.entry === null) return [];
  if (had === undefined || had.entry === null) return [`${name}: an entry`];
  const { entry } = had;
  const switches = ["keep_context", "steal_focus", "allow_unknown_rpc_passthrough"];
  const lists = ["moduleType", "RequestType", "RequestSubType"];
  const servicesIn = (one: Record<string, unknown>) => (isObject(one["app_services"]) ? one["app_services"] : {});
  return [
    ...has.permits.flatMap((permits, build) => moreIn(had.permits[build] ?? new Map(), permits)),
    ...switches.filter((one) => has.entry?.[one] === true && entry[one] !== true),
    ...(rankOf(has.entry) < rankOf(entry) ? ["priority"] : []),
    ...lists.filter((one) => isLonger(entry[one], has.entry?.[one])),
    ...Object.keys(servicesIn(has.entry)).filter((one) => !Object.hasOwn(servicesIn(entry), one)),
    ...[...has.clear].filter((one) => !had.clear.has(one)).map((one) => `${one} in the clear`),
  ].map((what) => `${name}: ${what}`);
}

const rankOf = (entry: Record<string, unknown>) => appPriorities.findIndex((one) => one === entry["priority"]);

function isLonger(before: unknown, after: unknown): boolean {
  if (!Array.isArray(after) || (Array.isArray(before) && before.length === 0)) return false;
  return !Array.isArray(before) || after.length === 0 || after.some((one) => !before.includes(one));
}

function moreIn(before: Permits, after: Permits): string[] {
  return [...after].flatMap(([rpc, levels]) =>
    hmiLevels.flatMap((level) => {
      const was: Permitted = before.get(rpc)?.[level] ?? "no";
      const is = levels[level];
      const isMore =
        is !== "no" &&
        was !== "all" &&
        (was === "no" || is === "all" || is.some((parameter) => !was.includes(parameter)));
      return isMore ? [`${rpc} at ${level}`] : [];
    }),
  );
}

const ways = {
  "two persons are required: the browser, tokens and the password of one administrator": {
    settings: { PUBLISH_APPROVALS: "all" },
    own: async () => {
      const paula = asPerson("Paula", "admin");
      const { data } = await callAs(paula, tokensRoute.POST, { body: { name: "Paula's", role: "admin" } });
      const hers = { authorization: `Bearer ${data.token}` };
      const password = { "basic-auth-password": "open sesame" };
      // Of the other token nobody knows who has made it.
      return [paula, asPerson("Paula", "publisher"), hers, withToken("admin"), password];
    },
    isFrozen: false,
  },
  "production is frozen: the browser and tokens of a publisher": {
    settings: {},
    own: () => Promise.resolve([asPerson("Paula", "publisher"), withToken("publisher")]),
    isFrozen: true,
  },
  "nobody may publish: the browser and tokens of an editor": {
    settings: {},
    own: () => Promise.resolve([asPerson("Eddie", "editor"), withToken("editor")]),
    isFrozen: false,
  },
};

it.each(Object.entries(ways))("%s", async (_, { settings, own, isFrozen }) => {
  const counts = { done: 0, refused: 0 };
  const length = runs(200, 80);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: length, maxLength: length, size: "max" }), async (taken) => {
      useSettings({});
      await prepare();
      usePeople(settings);
      if (isFrozen) {
        const body = { from: inDays(-1), to: inDays(60), reason: "Fair" };
        expect((await callAs(asPerson("Ada", "admin"), freezeRoute.PUT, { method: "PUT", body })).status).toBe(200);
      }
      const { done, refused } = await walk(await own(), taken, isFrozen);
      counts.done += done;
      counts.refused += refused;
    }),
    { numRuns: Number(process.env.WALKS ?? runs(6)), seed, endOnFailure: true },
  );
  expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(0);
  console.log(`${counts.done} were done, ${counts.refused} refused`);
});

/** What production is made from, by what the audit trail calls it; false and empty lists count as null. */
type World = Map<string, unknown>;
const plain = (value: unknown) =>
  value === false || (Array.isArray(value) && value.length === 0) ? null : (value ?? null);
const flagNames = [
  ...(["isBlacklisted", "isAdministratorApp", "allowUnknownRpcPassthrough", "isAutoApprovedEnabled"] as const),
  ...(["hybridAppPreference", "priority"] as const),
];
const versionMembers = ["approval_status", "denial_message", "encryption_required", "groups", "services"];
const tellVersion = (one: ApplicationRecord): Readonly<Record<string, unknown>> => ({
  approval_status: one.approvalStatus,
  denial_message: one.denialMessage,
  encryption_required: one.encryptionRequired,
  groups: one.groupGrants,
  services: one.services.flatMap(({ name, selectedPermissions: permissions }) =>
    permissions.length > 0 ? { name, permissions } : [],
  ),
});

async function readWorld(): Promise<World> {
  const world: World = new Map();
  for (const flags of await ApplicationFlagsModel.find({}).lean()) {
    for (const name of flagNames) world.set(`app:${flags.uuid}.${snakeName(name)}`, plain(flags[name]));
  }
  for (const version of await ApplicationModel.find({}).lean()) {
    const told = tellVersion(version);
    for (const name of versionMembers) world.set(`application:${version._id}.${name}`, plain(told[name]));
  }
  for (const family of Object.values(recordItems)) {
    const heads = await findHeads(family, "production");
    for (const record of await family.load(heads.map(({ id }) => id))) {
      world.set(family.targetOf(record), record.isDeleted === true ? null : record.id);
    }
  }
  return world;
}

function replay(
  world: World,
  { action, target, before, after }: any,
  versions: ReadonlyMap<number, ApplicationRecord>,
) {
  const set = (key: string, was: unknown, is: unknown) => {
    expect(world.get(key) ?? null, `${action} of ${key}`).toEqual(plain(was));
    world.set(key, plain(is));
  };
  const setAll = (key: string, names: readonly string[], was: any, is: any) =>
    names.forEach((name) => set(`${key}.${snakeName(name)}`, was[name], is[name]));
  const listed = (key: string): any[] => (world.get(key) as any[] | null) ?? [];
  const change = (names: string[], name: string) =>
    action.endsWith(".grant") ? [...names, name].sort() : names.filter((one) => one !== name);
  if (/^applications\.(administrator|passthrough|auto|hybrid|priority|encryption|blacklist|return)$/.test(action)) {
    setAll(target, Object.keys(after), before, after);
  } else if (action === "applications.action") {
    setAll(target, ["approval_status", "denial_message"], before, after);
    const uuid = versions.get(Number(target.slice("application:".length)))?.uuid;
    setAll(`app:${uuid}`, ["is_blacklisted"], before, after);
  } else if (action === "applications.import") {
    setAll(
      target,
      Object.keys(after).filter((name) => name !== "versions"),
      before,
      after,
    );
    for (const [at, one] of (after.versions ?? []).entries()) {
      setAll(`application:${one.application}`, versionMembers, before.versions[at], one);
    }
  } else if (action.startsWith("applications.groups.")) {
    world.set(`${target}.groups`, plain(change(listed(`${target}.groups`), after.group)));
  } else if (action.startsWith("applications.service.")) {
    const services = listed(`${target}.services`);
    const permissions = change(
      services.find(({ name }) => name === after.service)?.permissions ?? [],
      after.permission,
    );
    const others = services.filter(({ name }) => name !== after.service);
    world.set(
      `${target}.services`,
      plain(permissions.length > 0 ? [...others, { name: after.service, permissions }] : others),
    );
  } else if (action === "applications.store") {
    // What a version holds comes from the app directory, and is kept with it.
    const version = versions.get(after.application)!;
    for (const name of versionMembers)
      world.set(`application:${version._id}.${name}`, plain(tellVersion(version)[name]));
    set(`application:${version._id}.approval_status`, version.approvalStatus, after.approval_status);
  } else if (action.endsWith(".promote")) set(target, before, typeof after === "number" ? after : null);
}

it.each([
  ["alone", {}],
  ["with a second person", { PUBLISH_APPROVALS: "all" }],
])(
  "W14: from the trail alone one can tell what production was before and after, who and why: %s",
  async (_, settings) => {
    const people = ["Paula", "Peter"].map((name) => asPerson(name, "admin"));
    const length = runs(200, 60);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: length, maxLength: length, size: "max" }), async (taken) => {
        useSettings({});
        await prepare();
        usePeople(settings);
        const world = await readWorld();
        let last = (await AuditEventModel.findOne({}).sort({ _id: -1 }).lean())?._id ?? 0;
        for (const [at, one] of taken) {
          const call = await one();
          if (call !== null && !surroundings.includes(one as never)) {
            const [handler, body, more = {}] = call as unknown as Call;
            await callAs(people[at % 2] ?? {}, handler, { body, ...more });
          }
          const versions = new Map((await ApplicationModel.find({}).lean()).map((version) => [version._id, version]));
          for (const event of await AuditEventModel.find({ _id: { $gt: last } })
            .sort({ _id: 1 })
            .lean()) {
            last = event._id;
            replay(world, event, versions);
            expect(event.personId !== null || ["schedule", "directory"].includes(event.actor), inspect(event)).toBe(
              true,
            );
            if (event.action === "approvals.approve")
              expect(event.before).toMatchObject({ by: expect.stringMatching(/^P/) });
            if (event.action !== "releases.publish") continue;
            const release = (await ReleaseModel.findById(Number(event.target.split(":")[1])).lean())!;
            const { reason, returned_to, kind } = event.after;
            expect([kind, reason ?? null, returned_to ?? null]).toEqual([
              release.kind,
              release.reason,
              release.returnedTo,
            ]);
          }
          expect(Object.fromEntries(world)).toEqual(Object.fromEntries(await readWorld()));
        }
      }),
      { numRuns: runs(4), seed, endOnFailure: true },
    );
  },
);
