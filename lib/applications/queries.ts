import "server-only";
import { type QueryFilter } from "mongoose";
import { type ApplicationJson } from "@/lib/applications/answer-schema";
import { buildCursor, buildListOrder, escapeRegex, parseCursor, type ListPosition } from "@/lib/applications/list-page";
import { loadApplicationReference } from "@/lib/applications/reference";
import { type ApplicationSort, type ListApplicationsQuery } from "@/lib/applications/schema";
import {
  buildApplicationJson,
  hiddenMembers,
  type ApplicationReference,
  type StoredApplication,
} from "@/lib/applications/wire";
import { requireDatabase } from "@/lib/db/connection/connect";
import { AppError } from "@/lib/errors";
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
  const filter = { ...(await buildFilter(query)), ...buildRange(query) };
  const select = ApplicationModel.find(filter, { _id: 1, nameKey: 1, updatedAt: 1 }).sort({
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

/** Everything behind the cursor. The plain bound lets an index find the place, the alternatives decide between equals. */
function buildRange({ cursor, sort }: ListApplicationsQuery): QueryFilter<ApplicationRecord> {
  if (cursor === undefined) return {};
  const position = parseCursor(sort, cursor);
  if (position === null) throw new AppError("invalid", "cursor must be the next_cursor of the same list");
  const { field, direction } = buildListOrder(sort);
  const [beyond, from] = direction === 1 ? (["$gt", "$gte"] as const) : (["$lt", "$lte"] as const);
  if (field === "_id") return { _id: { [beyond]: position.id } };
  const value = field === "updatedAt" ? new Date(position.value) : position.value;
  return {
    [field]: { [from]: value },
    $or: [{ [field]: { [beyond]: value } }, { [field]: value, _id: { [beyond]: position.id } }],
  };
}

function positionOf(
  document: Pick<ApplicationRecord, "_id" | "nameKey" | "updatedAt">,
  sort: ApplicationSort,
): ListPosition {
  const { field } = buildListOrder(sort);
  const value = document[field];
  return { id: document._id, value: value instanceof Date ? value.getTime() : value };
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
