import "server-only";
import { loadSnapshotVersions } from "@/lib/apps/applications/entry-versions";
import { listReleaseItems, type ReleaseItems } from "@/lib/releases/queries";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { createPacer } from "@/lib/platform/process/pacer";
import { groupDocument } from "@/lib/policy/documents/documents";
import { isUsed, type Permission, prepareUse, type UseSources } from "@/lib/policy/effect/permission-use";
import { vehicleDataNames } from "@/lib/policy/permits/car";
import { carSettings } from "@/lib/policy/permits/conditions";
import { listApps } from "@/lib/policy/snapshot/app-index";
import type { PolicySnapshot, SnapshotApp, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { FunctionalGroupModel } from "@/models/functional-group";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";

export interface UseChange {
  readonly number: number;
  readonly name: string | null;
  readonly at: string;
  readonly gained: number;
  readonly lost: number;
}

export interface UseHistory {
  /** Newest first. */
  readonly releases: readonly UseChange[];
  /** Unless a later release gave it back; by lower-case uuid. */
  readonly lostIn: ReadonlyMap<string, number>;
}

/** Most releases to read, and most of those that affect the permission. */
const [maxReleases, maxTouching] = [200, 30];

/**
 * Compares what vehicles permit before and after each release, from production backwards (`releases.md` L20).
 * Decisions about apps outside of releases are today's, as in every table as of a release (L3).
 */
export async function traceUse(
  snapshot: PolicySnapshot,
  permission: Permission,
  builds: readonly CarBuild[],
): Promise<UseHistory> {
  const releases = await listReleaseItems(maxReleases);
  const [records, versions] = await Promise.all([
    loadHolders(releases, permission.rpc),
    loadSnapshotVersions(listIds(releases, "app").slice(0, maxVersions)),
  ]);
  const state = startAt(snapshot, permission, records);
  const pace = createPacer();
  const lostIn = new Map<string, number>();
  /** Apps that a later release has given it or taken it from. */
  const settled = new Set<string>();
  const changes: UseChange[] = [];
  /** By lower-case uuid. */
  const earlier = new Map<string, number | null>();
  /** Null: unknown. */
  const withVersion = (app: SnapshotApp, id: number | null | undefined): SnapshotApp | null => {
    if (id === undefined || id === app.accepted?.id) return app;
    const accepted = id === null ? null : versions.get(id);
    return accepted === undefined ? null : { ...app, accepted };
  };
  let after = prepareUse(state.sources(), "production", permission, builds);
  let touching = 0;
  for (const { number, name, at, items } of releases) {
    const own = new Map(items.flatMap((item) => (item.family === "app" ? [[item.key.toLowerCase(), item]] : [])));
    const isTouched = state.isTouched(items);
    if (!isTouched && own.size === 0) continue;
    if (touching++ === maxTouching) break;
    state.stepBack(items);
    const before = isTouched ? prepareUse(state.sources(), "production", permission, builds) : after;
    const apps = isTouched
      ? listApps(snapshot.apps)
      : [...own.keys()].flatMap((uuid) => snapshot.apps.byUuid(uuid) ?? []);
    let [gained, lost] = [0, 0];
    for (const app of apps) {
      const key = app.uuid.toLowerCase();
      const item = own.get(key);
      const now = withVersion(app, item === undefined ? earlier.get(key) : item.afterId);
      if (item !== undefined) earlier.set(key, item.beforeId);
      const then = withVersion(app, earlier.get(key));
      const had = then !== null && isUsed(before.useOf(then));
      const has = now !== null && isUsed(after.useOf(now));
      if (then === null || now === null || had === has) continue;
      if (has) gained++;
      else lost++;
      if (!has && !settled.has(key)) lostIn.set(key, number);
      settled.add(key);
      await pace();
    }
    if (gained + lost > 0) changes.push({ number, name, at: at.toISOString(), gained, lost });
    after = before;
  }
  return { releases: changes, lostIn };
}

type Items = ReleaseItems["items"];

function startAt(snapshot: PolicySnapshot, { rpc }: Permission, records: ReadonlyMap<number, SnapshotGroup>) {
  const { permissions, rpcSpec, vehicleData, messages } = snapshot;
  const present = <T extends { readonly isDeleted: boolean }>(list: readonly T[]) =>
    list.filter((one) => !one.isDeleted);
  const groups = new Map(present(snapshot.groups.production).map((group) => [group.name, group]));
  const prompts = new Set(present(messages.production).map(({ category }) => category));
  const data = new Set(present(vehicleData.production).map(({ name }) => name));
  const native = vehicleDataNames({ ...snapshot, vehicleData: { staging: [], production: [] } }, "production");
  const known = [...groups.values(), ...records.values()];
  const asked = new Set(known.map((group) => group.userConsentPrompt));
  const named = new Set(
    known.flatMap(({ rpcs }) => rpcs.flatMap(({ name, parameters }) => (name === rpc ? parameters : []))),
  );
  const there = { isDeleted: false };
  const step = (names: Set<string>, key: string, isThere: boolean) => (isThere ? names.add(key) : names.delete(key));
  const held = (id: number | null) => (id === null ? undefined : records.get(id));
  return {
    sources: (): UseSources => ({
      ...{ permissions, rpcSpec, settings: carSettings(snapshot, "production") },
      groups: { staging: [], production: [...groups.values()] },
      messages: { staging: [], production: Array.from(prompts, (category) => ({ category, ...there })) },
      vehicleData: { staging: [], production: Array.from(data, (name) => ({ name, ...there })) },
      items: new Set([...native, ...data]),
    }),
    isTouched: (items: Items) =>
      items.some(({ family, key, beforeId, afterId }) => {
        if (family === "group") return held(beforeId) !== undefined || held(afterId) !== undefined;
        return family === "message" ? asked.has(key) : family === "vehicle_data" && named.has(key);
      }),
    stepBack(items: Items) {
      for (const { family, key, beforeId } of items) {
        if (family === "message") step(prompts, key, beforeId !== null);
        if (family === "vehicle_data") step(data, key, beforeId !== null);
        if (family !== "group") continue;
        const before = held(beforeId);
        if (before === undefined) groups.delete(key);
        else groups.set(key, before);
      }
    },
  };
}

async function loadHolders(releases: readonly ReleaseItems[], rpc: string): Promise<Map<number, SnapshotGroup>> {
  const documents = await rawCollection(FunctionalGroupModel)
    .find({ _id: { $in: listIds(releases, "group") }, "rpcs.name": rpc })
    .toArray();
  return new Map(
    documents.flatMap((document) => {
      const { data } = groupDocument.safeParse(document);
      return data === undefined ? [] : [[data.id, data]];
    }),
  );
}

/** Changes from or to versions beyond this count are not counted. */
const maxVersions = 4000;

function listIds(releases: readonly ReleaseItems[], wanted: string): number[] {
  return distinct(
    releases.flatMap(({ items }) =>
      items.flatMap(({ family, beforeId, afterId }) =>
        family === wanted ? [beforeId, afterId].filter((id) => id !== null) : [],
      ),
    ),
  );
}
