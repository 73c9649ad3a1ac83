"one per process";

import "server-only";
import { recordFamilies } from "@/lib/platform/db/heads";
import { oncePerRevision, usualKeepMs } from "@/lib/platform/db/once-per-revision";
import { readRevision } from "@/lib/platform/db/revision";
import { keptGroups } from "@/lib/records/groups/record-cache";
import type { StoredGroup } from "@/lib/records/groups/rules";
import { namesOf } from "@/lib/vocabulary/members";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import { byLowerCase } from "@/lib/vocabulary/order";
import { listNames, loadVisible } from "@/lib/records/store/queries";
import { vehicleDataSource } from "@/lib/records/vehicle-data/queries";
import type { VehicleDataNode } from "@/lib/records/vehicle-data/rules";
import { ApplicationModel } from "@/models/application";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { vehicleDataRpcs } from "@/lib/vocabulary/terms";
import type { FoundPermission } from "@/app/_search/schema";
import { PermissionModel } from "@/models/permission";

export interface SearchedNode {
  readonly id: number;
  readonly rootId: number;
  readonly name: string;
  readonly key: string;
  readonly path: string;
}

/** Everything in staging except apps, by name. */
export interface Corpus {
  readonly groups: readonly StoredGroup[];
  readonly names: readonly { readonly family: RecordItemFamily; readonly keys: readonly string[] }[];
  readonly nodes: readonly SearchedNode[];
  readonly permissions: readonly PermissionName[];
  /** Counts apps whose latest version requests a permission, like the console's list. */
  readonly countRequests: (key: string) => Promise<number>;
}

const kept = oncePerRevision(readCorpus, usualKeepMs);

/** Every pause in typing reads it, so it is cached until the revision changes. */
export async function loadCorpus(): Promise<Corpus> {
  return kept.get(await readRevision());
}

async function readCorpus(): Promise<Corpus> {
  const [groups, nodes, names] = await Promise.all([
    loadGroups(),
    loadNodes(),
    Promise.all(namedFamilies().map(async (family) => ({ family, keys: await listNames(family) }))),
  ]);
  return { groups, nodes, names, permissions: await listPermissionNames(groups), countRequests: countOnce() };
}

/** Searched by name only. */
const namedFamilies = () =>
  namesOf(recordFamilies).filter(
    (family) => family !== "group" && family !== "vehicle_data" && recordFamilies[family].keyField !== null,
  );

async function loadGroups(): Promise<StoredGroup[]> {
  const groups = await loadVisible(keptGroups, "staging");
  return groups.sort((a, b) => byLowerCase(a.name, b.name));
}

async function loadNodes(): Promise<SearchedNode[]> {
  const records = await loadVisible(vehicleDataSource, "staging");
  return records.flatMap(({ id, nodes }) => listNodes(id, nodes)).sort((a, b) => byLowerCase(a.path, b.path));
}

function listNodes(rootId: number, nodes: readonly VehicleDataNode[]): SearchedNode[] {
  const paths = new Map<number, string>();
  return nodes.map(({ id, parentId, name, key }) => {
    // Parents come before their parts.
    const above = parentId === null ? undefined : paths.get(parentId);
    const path = above === undefined ? name : `${above}.${name}`;
    paths.set(id, path);
    return { id, rootId, name, key, path };
  });
}

/** Permissions have no index. Counting all at once takes as long as counting four individually. */
function countOnce(): Corpus["countRequests"] {
  let counts: Promise<ReadonlyMap<string, number>> | null = null;
  return async (key) => {
    counts ??= countAllRequests();
    // Callers that share a failed count fail with it; the next call retries.
    const counted = await counts.catch((error: unknown) => {
      counts = null;
      throw error;
    });
    return counted.get(key) ?? 0;
  };
}

const appsAtOnce = 500;
interface RequestingApp {
  readonly permissions: readonly { readonly key: string }[];
}

async function countAllRequests(): Promise<ReadonlyMap<string, number>> {
  const apps = await ApplicationModel.find({ isLatest: true }, { _id: 0, "permissions.key": 1 })
    // The process can serve vehicles between two batches.
    .batchSize(appsAtOnce)
    .lean<readonly RequestingApp[]>();
  const counts = new Map<string, number>();
  for (const { permissions } of apps) {
    for (const key of new Set(permissions.map((one) => one.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export type PermissionName = Pick<FoundPermission, "name" | "type" | "parents">;

/** From the app directory, the specification, custom vehicle data and groups. */
export async function listPermissionNames(groups: readonly Pick<SnapshotGroup, "rpcs">[]): Promise<PermissionName[]> {
  const [known, { rpcSpec, vehicleData }] = await Promise.all([
    PermissionModel.find({ type: { $in: ["RPC", "PARAMETER"] } }, { name: 1, type: 1, parents: 1 }).lean(),
    loadParameterSources(),
  ]);
  const names = new Map<string, { type: PermissionName["type"]; parents: Set<string> }>();
  const add = (name: string, type: PermissionName["type"], parents: readonly string[] = []) => {
    const one = names.get(name);
    if (one === undefined) names.set(name, { type, parents: new Set(parents) });
    else for (const parent of parents) one.parents.add(parent);
  };
  for (const { name, type, parents } of known) add(name, type === "RPC" ? "RPC" : "PARAMETER", parents);
  // The specification also has parameters that groups cannot contain; the app directory has only those that they can.
  for (const { name } of rpcSpec?.functions ?? []) if (!names.has(name)) add(name, "RPC");
  for (const { name, isDeleted } of vehicleData.staging) if (!isDeleted) add(name, "PARAMETER", vehicleDataRpcs);
  for (const { rpcs } of groups) {
    for (const { name, parameters } of rpcs) {
      if (!names.has(name)) add(name, "RPC");
      for (const parameter of parameters) if (!names.has(parameter)) add(parameter, "PARAMETER", [name]);
    }
  }
  return [...names]
    .map(([name, { type, parents }]) => ({ name, type, parents: type === "RPC" ? [] : [...parents] }))
    .sort((a, b) => byLowerCase(a.name, b.name));
}
