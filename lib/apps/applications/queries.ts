import "server-only";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import {
  type ApplicationFilter,
  findIds,
  findVersionPage,
  listBlocked,
  escapeRegex,
  parseCursor,
} from "@/lib/apps/applications/find-versions";
import { loadApplicationReference } from "@/lib/apps/applications/reference";
import { type ListApplicationsQuery, selectsOne } from "@/lib/apps/applications/schema";
import {
  buildApplicationJson,
  hiddenMembers,
  type ApplicationReference,
  type StoredApplication,
} from "@/lib/apps/applications/wire";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

/** Records read by one query; limits memory for long lists. */
const batchSize = 100;

/**
 * One selector applies: `id`, else `uuid`, else status and blacklist; the latest version of an app is determined before
 * its status is checked (`api.md` 3.1). The next page is null after the last one, undefined without paging. Throws
 * AppError 400 for a cursor of another list.
 */
export async function findApplications(query: ListApplicationsQuery) {
  await requireDatabase();
  const { id, uuid, limit, sort, cursor } = query;
  if (selectsOne(query)) {
    const wanted = id === undefined ? { uuid: uuid ?? "" } : { _id: id };
    const found = await ApplicationModel.findOne(wanted, { _id: 1 }).sort({ _id: -1 }).lean();
    return { ids: found === null ? [] : [found._id], nextCursor: limit === undefined ? undefined : null };
  }
  const position = cursor === undefined ? null : parseCursor(sort, cursor);
  if (cursor !== undefined && position === null) {
    throw new AppError("invalid", "cursor must be the next_cursor of the same list");
  }
  const filter = await buildFilter(query);
  if (limit !== undefined) {
    const { ids, next } = await findVersionPage(filter, sort, limit, position && { position, isBackward: false });
    return { ids, nextCursor: next };
  }
  return { ids: await findIds(filter, sort, position), nextCursor: undefined };
}

async function buildFilter(query: ListApplicationsQuery): Promise<ApplicationFilter> {
  const { approval_status: status, get_blacklist: isBlocked } = query;
  const search = query.search?.trim().toLowerCase() ?? "";
  return {
    isLatest: true,
    ...(status !== undefined && { approvalStatus: status }),
    ...(search !== "" && { searchText: { $regex: escapeRegex(search) } }),
    ...((isBlocked || status !== undefined) && { uuid: { [isBlocked ? "$in" : "$nin"]: await listBlocked() } }),
  };
}

/**
 * In batches, so that a long list is never in memory as a whole; skips versions deleted in the meantime. The database
 * reads the next batch while the caller uses one.
 */
export async function* loadApplicationBatches(ids: readonly number[]): AsyncGenerator<ApplicationJson[]> {
  if (ids.length === 0) return;
  const reference = await loadApplicationReference();
  const load = (from: number) => {
    const batch = loadBatch(ids.slice(from, from + batchSize), reference);
    // A caller that stops early does not take it.
    batch.catch(() => undefined);
    return batch;
  };
  let next = load(0);
  for (let from = batchSize; from < ids.length; from += batchSize) {
    const batch = await next;
    next = load(from);
    yield batch;
  }
  yield await next;
}

/** JSON text of `{"applications": […]}`, in pieces of at most a hundred records. */
export async function* streamApplications(ids: readonly number[]): AsyncGenerator<string> {
  let before = '{"applications":[';
  for await (const batch of loadApplicationBatches(ids)) {
    if (batch.length === 0) continue;
    yield before + batch.map((application) => JSON.stringify(application)).join(",");
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}

export async function loadApplications(ids: readonly number[]): Promise<ApplicationJson[]> {
  const loaded: ApplicationJson[] = [];
  for await (const batch of loadApplicationBatches(ids)) loaded.push(...batch);
  return loaded;
}

async function loadBatch(ids: readonly number[], reference: ApplicationReference): Promise<ApplicationJson[]> {
  const versions: StoredApplication[] = await ApplicationModel.find({ _id: { $in: ids } }, hiddenMembers).lean();
  const uuids = [...new Set(versions.map(({ uuid }) => uuid))];
  const flags = await ApplicationFlagsModel.find({ uuid: { $in: uuids } }).lean();
  const flagsOf = new Map(flags.map((one) => [one.uuid, one]));
  const versionOf = new Map(versions.map((version) => [version._id, version]));
  return ids.flatMap((id) => {
    const version = versionOf.get(id);
    return version === undefined ? [] : [buildApplicationJson(version, flagsOf.get(version.uuid) ?? null, reference)];
  });
}

/** From the newest versions, by uuid, without unknown apps. */
export async function loadAppNames(uuids: readonly string[]): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  await requireDatabase();
  const found = await ApplicationModel.find(
    { uuid: { $in: uuids }, isLatest: true },
    { _id: 0, uuid: 1, name: 1 },
  ).lean();
  return new Map(found.map(({ uuid, name }) => [uuid, name]));
}
