"one per process";

import "server-only";
import { z } from "zod";
import { traceUse, type UseHistory } from "@/app/(console)/rpcs/history";
import {
  type PermissionUseAnswer,
  type PermissionUseQuery,
  type UseFilter,
  useFilters,
} from "@/app/(console)/rpcs/schema";
import { loadCorpus } from "@/app/_search/corpus";
import { cutPage } from "@/lib/records/store/listing";
import { loadState } from "@/lib/releases/review/changes";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import { oncePer } from "@/lib/platform/once-per";
import { createPacer } from "@/lib/platform/process/pacer";
import { loadSettings } from "@/lib/platform/settings";
import { isUsed, type Permission, type PermissionUse, prepareUse, type Use } from "@/lib/policy/effect/permission-use";
import { vehicleDataNames } from "@/lib/policy/permits/car";
import { carSettings } from "@/lib/policy/permits/conditions";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { ApplicationModel } from "@/models/application";
import { type CarBuild, chosenBuilds } from "@/lib/vocabulary/head-units";
import { recordOf } from "@/lib/vocabulary/members";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import { type Environment, environments, hmiLevels, hmiTextLevels } from "@/lib/vocabulary/terms";

/** Longer pages render slowly. */
const pageSize = 50;
const maxGroups = 50;

/**
 * Which groups give a permission, and which apps request it, have it or have lost it (`releases.md` L20).
 * @throws AppError 404 for an unknown permission; DatabaseUnavailable
 */
export async function findPermissionUse(query: PermissionUseQuery): Promise<PermissionUseAnswer> {
  await requireDatabase();
  const { rpc, parameter = null, q = "", apps: filter, after } = query;
  const permission = { rpc, parameter };
  const snapshot = await loadState();
  const { parents, parameters } = await requireKnown(permission, snapshot);
  const { uses, history } = prepared(snapshot, permission, chosenBuilds(loadSettings()));
  const { releases, lostIn } = await history;
  const rows: AppRow[] = [];
  const pace = createPacer();
  for (const { uuidKey, ...stored } of await loadNewest(parameter ?? rpc)) {
    const app = snapshot.apps.byUuid(uuidKey);
    const use = recordOf(environments, (name) => (app === undefined ? uses[name].everyApp : uses[name].useOf(app)));
    const lost_in = isUsed(use.production) ? null : (lostIn.get(uuidKey) ?? null);
    const row = { ...stored, is_blocked: app?.isBlacklisted ?? false, ...use, lost_in };
    if (isAny(row)) rows.push(row);
    await pace();
  }
  rows.sort((a, b) => byLowerCase(a.name, b.name) || byLowerCase(a.uuid, b.uuid));
  const wanted = q.toLowerCase();
  const found = rows.filter(({ name, vendor, uuid }) =>
    [name, vendor, uuid].some((text) => text.toLowerCase().includes(wanted)),
  );
  const passing = filter === undefined ? found : found.filter(filters[filter]);
  const { page, ...place } = cutPage(passing, { size: pageSize, after });
  return {
    ...{ rpc, parameter, parents, parameters },
    groups: listGroups(uses),
    every_app: recordOf(environments, (name) => toJson(uses[name].everyApp)),
    counts: { all: found.length, ...recordOf(useFilters, (name) => found.filter(filters[name]).length) },
    apps: page.map((row) => ({ ...row, staging: toJson(row.staging), production: toJson(row.production) })),
    ...place,
    releases: [...releases],
  };
}

type AppRow = Omit<PermissionUseAnswer["apps"][number], Environment> & Readonly<Record<Environment, Use>>;

const filters: Readonly<Record<UseFilter, (row: AppRow) => boolean>> = {
  requested: ({ requested }) => requested !== null,
  production: ({ production }) => isUsed(production),
  staging: ({ staging }) => isUsed(staging),
  withheld: ({ requested, production }) =>
    requested !== null &&
    (requested.length === 0 ? !isUsed(production) : requested.some((level) => !production.levels.includes(level))),
  lost: ({ lost_in: number }) => number !== null,
};
const isAny = (row: AppRow) => useFilters.some((name) => filters[name](row));

const toJson = ({ levels, differing }: Use) => ({ levels: [...levels], differing: [...differing] });

interface Prepared {
  readonly uses: Readonly<Record<Environment, PermissionUse>>;
  readonly history: Promise<UseHistory>;
}
const kept = oncePer((_snapshot: PolicySnapshot) => new Map<string, Prepared>());
/** Per revision; a full cache is cleared. */
const maxKept = 50;

function prepared(snapshot: PolicySnapshot, permission: Permission, builds: readonly CarBuild[]): Prepared {
  const known = kept(snapshot);
  const key = JSON.stringify([permission, builds]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const uses = recordOf(environments, (name) =>
    prepareUse(
      { ...snapshot, items: vehicleDataNames(snapshot, name), settings: carSettings(snapshot, name) },
      name,
      permission,
      builds,
    ),
  );
  const history = traceUse(snapshot, permission, builds);
  history.catch(() => known.delete(key));
  if (known.size === maxKept) known.clear();
  known.set(key, { uses, history });
  return { uses, history };
}

async function requireKnown({ rpc, parameter }: Permission, { groups }: PolicySnapshot) {
  const { permissions } = await loadCorpus();
  const inGroups = groups.production.flatMap(({ rpcs }) => rpcs.filter(({ name }) => name === rpc));
  const isRpc = inGroups.length > 0 || permissions.some(({ name, type }) => type === "RPC" && name === rpc);
  const parameters = distinct([
    ...permissions.flatMap(({ name, type, parents }) => (type === "PARAMETER" && parents.includes(rpc) ? name : [])),
    ...inGroups.flatMap((one) => one.parameters),
  ]).sort(byLowerCase);
  if (!isRpc || (parameter !== null && !parameters.includes(parameter))) {
    const name = parameter === null ? `RPC "${rpc}"` : `parameter "${parameter}" of ${rpc}`;
    throw new AppError("notFound", `There is no ${name}`);
  }
  if (parameter === null) return { parents: [], parameters };
  const of = permissions.find(({ name, type }) => type === "PARAMETER" && name === parameter)?.parents ?? [];
  return { parents: distinct([...of, rpc]).sort(byLowerCase), parameters: [] };
}

function listGroups(uses: Prepared["uses"]): PermissionUseAnswer["groups"] {
  const names = distinct(environments.flatMap((name) => uses[name].groups.map(({ group }) => group.name)));
  const items = names
    .sort(byLowerCase)
    .slice(0, maxGroups)
    .map((name) => {
      const [staging, production] = environments.map((environment) =>
        uses[environment].groups.find(({ group }) => group.name === name),
      );
      const says = (use: typeof staging) => (use ? { levels: [...use.levels], is_veto: use.isVeto } : null);
      const prompt = (staging ?? production)?.group.userConsentPrompt ?? null;
      return { name, prompt, staging: says(staging), production: says(production) };
    });
  return { items, total: names.length };
}

const newestApp = z
  .object({ _id: z.int(), uuid: z.string(), uuidKey: z.string(), name: z.string(), vendorName: z.string().catch("") })
  .transform(({ _id: id, vendorName: vendor, ...members }) => ({ id, vendor, ...members }));
const request = z.object({ key: z.string(), hmiLevel: z.enum(hmiTextLevels).nullish() });
const requester = z.object({ _id: z.int(), permissions: z.array(request) });

/** Null: the app does not request it. */
async function loadNewest(key: string) {
  const find = (filter: object, members: readonly string[]) =>
    rawCollection(ApplicationModel)
      .find({ isLatest: true, ...filter }, { projection: recordOf(members, () => 1) })
      .toArray();
  const [apps, requesting] = await Promise.all([
    find({}, ["uuid", "uuidKey", "name", "vendorName"]),
    find({ "permissions.key": key }, ["permissions.key", "permissions.hmiLevel"]),
  ]);
  const levels = new Map(
    requesting.map((document) => {
      const { _id, permissions } = requester.parse(document);
      const asked = permissions.filter((one) => one.key === key).map(({ hmiLevel }) => hmiLevel);
      return [_id, hmiLevels.filter((level) => asked.includes(`HMI_${level}`))];
    }),
  );
  return apps.map((document) => {
    const app = newestApp.parse(document);
    return { ...app, requested: levels.get(app.id) ?? null };
  });
}
