import "server-only";
import {
  countFiltered,
  countStates,
  findFiltered,
  type StateCounts,
} from "@/lib/apps/applications/console/console-counts";
import {
  type ApplicationFilter,
  buildSharedFilter,
  listBlocked,
  narrowToState,
  withCondition,
} from "@/lib/apps/applications/console/console-filter";
import { type ConsoleRow, loadConsoleRows } from "@/lib/apps/applications/console/console-rows";
import type { ConsoleListQuery, ConsoleSelection } from "@/lib/apps/applications/console/console-schema";
import {
  buildCursor,
  buildListOrder,
  buildRange,
  type ListPosition,
  type ListSort,
  parseCursor,
  positionColumns,
  type Positioned,
  positionOf,
} from "@/lib/apps/applications/list-page";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationModel } from "@/models/application";
import { CategoryModel } from "@/models/directory/category";

/** One page of the list. */
export interface ConsoleList {
  readonly rows: readonly ConsoleRow[];
  /** How many apps meet the filters, per tab. */
  readonly counts: StateCounts;
  /** How many rows stand before the first one, as far as known. */
  readonly offset: number;
  /** Cursors of the neighbouring pages; null where there is none. */
  readonly next: string | null;
  readonly previous: string | null;
}

/**
 * Loads a page of the list of apps by their newest versions. A cursor that means nothing begins with
 * the first page.
 *
 * @throws DatabaseUnavailable
 */
export async function loadConsoleList(query: ConsoleListQuery): Promise<ConsoleList> {
  await requireDatabase();
  const blocked = await listBlocked();
  const shared = await buildSharedFilter(query, blocked, Date.now());
  const few = await findFiltered(shared, query);
  const narrowed = few === null ? shared : { isLatest: true, _id: { $in: few.map(({ _id }) => _id) } };
  const [counts, page] = await Promise.all([
    few === null ? countStates(shared, blocked) : countFiltered(few, blocked),
    findPage(narrowToState(narrowed, query.state, blocked), query),
  ]);
  const rows = await loadConsoleRows(page.ids);
  return { rows, counts, offset: page.offset, next: page.next, previous: page.previous };
}

/**
 * Finds the ids of all newest versions that a list shows, in its order and without pages.
 *
 * @throws DatabaseUnavailable
 */
export async function findConsoleIds(query: ConsoleSelection): Promise<number[]> {
  await requireDatabase();
  const blocked = await listBlocked();
  const shared = await buildSharedFilter(query, blocked, Date.now());
  const { field, direction } = buildListOrder(query.sort);
  const found = await ApplicationModel.find(narrowToState(shared, query.state, blocked), { _id: 1 })
    .sort({ [field]: direction, _id: direction })
    .lean();
  return found.map(({ _id }) => _id);
}

interface Page {
  readonly ids: readonly number[];
  readonly offset: number;
  readonly next: string | null;
  readonly previous: string | null;
}

/** What a page begins behind, and whether it is read backwards from there. Null: the first page. */
interface Start {
  readonly position: ListPosition;
  readonly isBackward: boolean;
}

async function findPage(filter: ApplicationFilter, { sort, size, ...query }: ConsoleListQuery): Promise<Page> {
  const after = parseCursor(sort, query.after);
  const before = after === null ? parseCursor(sort, query.before) : null;
  const position = after ?? before;
  const start = position && { position, isBackward: before !== null };
  const page = await readPage(filter, sort, size, start);
  // The rows around a cursor may be gone: rather the first page than an empty or a short one.
  const isLost = start !== null && (page.ids.length === 0 || (start.isBackward && page.previous === null));
  return isLost ? readPage(filter, sort, size, null) : page;
}

async function readPage(filter: ApplicationFilter, sort: ListSort, size: number, start: Start | null): Promise<Page> {
  const isBackward = start?.isBackward ?? false;
  const { field, direction: forward } = buildListOrder(sort);
  const direction = isBackward ? (forward === 1 ? -1 : 1) : forward;
  const range = start && buildRange({ field, direction }, start.position);
  const found = await ApplicationModel.find(range === null ? filter : withCondition(filter, range), positionColumns)
    .sort({ [field]: direction, _id: direction })
    // One more than wanted tells whether the list goes on.
    .limit(size + 1)
    .lean();
  const goesOn = found.length > size;
  const page = found.slice(0, size);
  if (isBackward) page.reverse();

  const offset = buildOffset(start, page.length);
  const cursorAt = (row: Positioned | undefined, place: number) =>
    row === undefined ? null : buildCursor(sort, { ...positionOf(row, sort), offset: place });
  return {
    ids: page.map(({ _id }) => _id),
    offset,
    next: isBackward || goesOn ? cursorAt(page.at(-1), offset + page.length - 1) : null,
    previous: (isBackward ? goesOn : start !== null) ? cursorAt(page[0], offset) : null,
  };
}

function buildOffset(start: Start | null, length: number): number {
  if (start === null) return 0;
  const { offset = 0 } = start.position;
  return start.isBackward ? Math.max(0, offset - length) : offset + 1;
}

/** What the filters of the list offer. */
export interface ListChoices {
  readonly platforms: readonly string[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
}

const maxPlatforms = 20;

/**
 * Loads the platforms in use and the known categories.
 *
 * @throws DatabaseUnavailable
 */
export async function loadListChoices(): Promise<ListChoices> {
  await requireDatabase();
  const [platforms, categories] = await Promise.all([
    listPlatforms(),
    CategoryModel.find({}, { name: 1, displayName: 1 }).sort({ _id: 1 }).lean(),
  ]);
  return {
    platforms,
    categories: categories.map(({ _id, name, displayName }) => ({ id: _id, name: displayName ?? name })),
  };
}

/** Jumps from one platform to the next in the index, instead of reading every app. */
async function listPlatforms(): Promise<string[]> {
  const platforms: string[] = [];
  while (platforms.length < maxPlatforms) {
    const next = await ApplicationModel.findOne({ platform: { $gt: platforms.at(-1) ?? "" } }, { _id: 0, platform: 1 })
      .sort({ platform: 1 })
      .lean();
    if (next === null) break;
    platforms.push(next.platform);
  }
  return platforms;
}
