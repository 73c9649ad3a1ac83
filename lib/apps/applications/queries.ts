import "server-only";
import type { QueryFilter } from "mongoose";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import {
  buildCursor,
  buildListOrder,
  buildRange,
  escapeRegex,
  parseCursor,
  positionColumns,
  positionOf,
} from "@/lib/apps/applications/list-page";
import { loadApplicationReference } from "@/lib/apps/applications/reference";
import type { ListApplicationsQuery } from "@/lib/apps/applications/schema";
import {
  buildApplicationJson,
  hiddenMembers,
  type ApplicationReference,
  type StoredApplication,
} from "@/lib/apps/applications/wire";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";

/** Records read with one query; bounds the memory of a long list. */
const batchSize = 100;

/** The chosen versions, before their documents are read. */
export interface ApplicationList {
  readonly ids: readonly number[];
  /** Where the next page begins; null after the last page, undefined when no page was asked for. */
  readonly nextCursor: string | null | undefined;
}

/**
 * Finds which versions `GET applications` shows, in their order (`api.md` 3.1). One selector acts: `id`, else `uuid`,
 * else status and blacklist. The latest version of an app is decided before its status is looked at.
 *
 * @throws AppError 400 for a cursor of another list; DatabaseUnavailable
 */
export async function findApplications(query: ListApplicationsQuery): Promise<ApplicationList> {
  await requireDatabase();
  const single = await findSingle(query);
  if (single !== null) return { ids: single, nextCursor: query.limit === undefined ? undefined : null };
  const { field, direction } = buildListOrder(query.sort);
  const filter = { ...(await buildFilter(query)), ...buildCursorRange(query) };
  const select = ApplicationModel.find(filter, positionColumns).sort({
    [field]: direction,
    _id: direction,
  });
  // One more than wanted tells whether there is a next page.
  const found = await (query.limit === undefined ? select : select.limit(query.limit + 1)).lean();
  const page = found.slice(0, query.limit);
  const ids = page.map(({ _id }) => _id);
  if (query.limit === undefined) return { ids, nextCursor: undefined };
  const last = found.length > query.limit ? page.at(-1) : undefined;
  return { ids, nextCursor: last === undefined ? null : buildCursor(query.sort, positionOf(last, query.sort)) };
}

async function findSingle({ id, uuid }: ListApplicationsQuery): Promise<number[] | null> {
  if (id !== undefined) {
    const found = await ApplicationModel.findOne({ _id: id }, { _id: 1 }).lean();
    return found === null ? [] : [found._id];
  }
  if (uuid === undefined) return null;
  const latest = await findLatestId(uuid);
  return latest === null ? [] : [latest];
}

/** Finds the id of an app's latest version. */
export async function findLatestId(uuid: string): Promise<number | null> {
  const latest = await ApplicationModel.findOne({ uuid }, { _id: 1 }).sort({ _id: -1 }).lean();
  return latest?._id ?? null;
}

async function buildFilter(query: ListApplicationsQuery): Promise<QueryFilter<ApplicationRecord>> {
  const status = query.approval_status;
  const search = query.search?.trim().toLowerCase() ?? "";
  return {
    isLatest: true,
    ...(status === undefined ? {} : { approvalStatus: status }),
    ...(search === "" ? {} : { searchText: { $regex: escapeRegex(search) } }),
    ...(query.get_blacklist
      ? { uuid: { $in: await listBlacklisted() } }
      : status === undefined
        ? {}
        : { uuid: { $nin: await listBlacklisted() } }),
  };
}

/** Flags, and not versions, say who is blacklisted; there are few of them. */
async function listBlacklisted(): Promise<string[]> {
  const found = await ApplicationFlagsModel.find({ isBlacklisted: true }, { _id: 0, uuid: 1 }).lean();
  return found.map(({ uuid }) => uuid);
}

/** Everything behind the cursor. */
function buildCursorRange({ cursor, sort }: ListApplicationsQuery): QueryFilter<ApplicationRecord> {
  if (cursor === undefined) return {};
  const position = parseCursor(sort, cursor);
  if (position === null) throw new AppError("invalid", "cursor must be the next_cursor of the same list");
  return buildRange(buildListOrder(sort), position);
}

/**
 * Loads versions in the order of their ids, in batches, so that a long list never lies in memory as a whole. A version
 * deleted since is left out.
 */
export async function* loadApplicationBatches(ids: readonly number[]): AsyncGenerator<ApplicationJson[]> {
  const reference = await loadApplicationReference();
  for (let from = 0; from < ids.length; from += batchSize) {
    yield await loadBatch(ids.slice(from, from + batchSize), reference);
  }
}

/** The object `{"applications": […]}` as JSON text in pieces of at most a hundred records. */
export async function* streamApplications(ids: readonly number[]): AsyncGenerator<string> {
  let before = '{"applications":[';
  for await (const batch of loadApplicationBatches(ids)) {
    if (batch.length === 0) continue;
    yield before + batch.map((application) => JSON.stringify(application)).join(",");
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}

/** Loads versions in the order of their ids, all at once. */
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
