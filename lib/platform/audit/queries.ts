import "server-only";
import {
  type AuditEventJson,
  type AuditExportQuery,
  auditFamilies,
  type AuditFileEvent,
  type AuditFilter,
  type AuditQuery,
} from "@/lib/platform/audit/schema";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { AuditEventModel, type AuditEventRecord } from "@/models/audit-event";
import { ApplicationModel } from "@/models/application";
import { ReleaseModel } from "@/models/release";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import { buildCsvLine, csvStart } from "@/lib/platform/http/csv";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";

/** Lists who changed what, newest first (`people.md` P13). */
export async function listAuditEvents({ cursor, limit, ...filter }: AuditQuery) {
  const wanted = await findCondition(filter);
  const found = await AuditEventModel.find({ ...wanted, ...(cursor !== undefined && { _id: { $lt: cursor } }) })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean();
  const page = found.slice(0, limit);
  return {
    events: page.map(buildAuditEventJson),
    next_cursor: found.length > limit ? (page.at(-1)?._id ?? null) : null,
  };
}

const perBatch = 500;
/** Events that are counted at most, so that the work does not grow with the trail. */
const maxCounted = 5_000;

interface Part extends ReleaseMade {
  readonly number: number;
}

/**
 * Counts what each person did since a time (`people.md` P18), among the newest 5,000 events, without sign-ins, initial
 * data, and what these releases changed. Returns the newest event of each kind, the latest kind first; `has_more`:
 * there are older events that are not counted. Throws DatabaseUnavailable.
 */
export async function countEvents(from: Date, releases: readonly Part[]) {
  await requireDatabase();
  const kinds = new Map<string, { newest: number; count: number }>();
  let read = 0;
  let hasMore = false;
  // Mostly, the first batch reaches back far enough.
  const newest = AuditEventModel.find({}, newsColumns)
    .sort({ _id: -1 })
    .limit(maxCounted + 1)
    .lean()
    .cursor({ batchSize: perBatch });
  for await (const event of newest) {
    const { _id, at, revision, actor, displayName, isNameVerified, action, target } = event;
    if (at < from) break;
    read++;
    hasMore = read > maxCounted;
    const isOf = (release: Part) =>
      target === `release:${release.number}` ||
      (revision === release.revision && at.getTime() === release.at.getTime());
    if (hasMore || /^(login$|step:)/.test(target) || releases.some(isOf)) continue;
    const key = JSON.stringify([actor, displayName, isNameVerified, action]);
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { newest: _id, count: 1 });
    else known.count++;
  }
  const counts = new Map(Array.from(kinds.values(), (kind) => [kind.newest, kind.count]));
  const events = await AuditEventModel.find({ _id: { $in: [...counts.keys()] } })
    .sort({ _id: -1 })
    .lean();
  return {
    kinds: events.map((event) => ({ event: buildAuditEventJson(event), count: counts.get(event._id) ?? 0 })),
    has_more: hasMore,
  };
}

const newsColumns = { at: 1, revision: 1, actor: 1, displayName: 1, isNameVerified: 1, action: 1, target: 1 } as const;

export async function* readAuditEvents(filter: AuditFilter): AsyncGenerator<AuditFileEvent> {
  const wanted = await findCondition(filter);
  let below = Infinity;
  for (;;) {
    const older = below === Infinity ? {} : { _id: { $lt: below } };
    const found = await AuditEventModel.find({ ...wanted, ...older })
      .sort({ _id: -1 })
      .limit(perBatch)
      .lean();
    for (const event of found) {
      below = event._id;
      const { previousHash = null, hash = null, summary } = event;
      const summed = summary
        ? { summary: { first: summary.first, hashes: [...summary.hashes], seal: summary.seal } }
        : {};
      yield { ...buildAuditEventJson(event), previous_hash: previousHash, hash, ...summed };
    }
    if (found.length < perBatch) return;
  }
}

async function findCondition(filter: AuditFilter) {
  await requireDatabase();
  const { release, item } = filter;
  const found =
    release === undefined ? null : await ReleaseModel.findById(release, { _id: 0, revision: 1, at: 1 }).lean();
  return buildAuditFilter(filter, found, item === undefined ? [] : await findAppTargets(item));
}

const maxNamed = 200;

/** The targets of apps by a part of their name: the trail knows them by their ids. */
async function findAppTargets(name: string): Promise<string[]> {
  const nameKey = { $regex: escapeRegExp(name.toLowerCase()) };
  const apps = await ApplicationModel.find({ isLatest: true, nameKey }, { uuid: 1 }).limit(maxNamed).lean();
  const uuid = { $in: apps.map((app) => app.uuid) };
  const versions = apps.length === 0 ? [] : await ApplicationModel.find({ uuid }, { _id: 1 }).lean();
  return [...uuid.$in.map((one) => `app:${one}`), ...versions.map(({ _id }) => `application:${_id}`)];
}

/** Events that are searched for people to choose from. */
const maxLookedThrough = 1_000;

export async function listActors(): Promise<string[]> {
  await requireDatabase();
  const events = await AuditEventModel.find({}, { _id: 0, actor: 1, displayName: 1 })
    .sort({ _id: -1 })
    .limit(maxLookedThrough)
    .lean();
  return distinct(events.map(({ actor, displayName }) => displayName ?? actor)).sort(byLowerCase);
}

function buildAuditEventJson(event: AuditEventRecord) {
  return {
    id: event._id,
    created_ts: event.at.toISOString(),
    revision: event.revision,
    actor: event.actor,
    person_id: event.personId ?? null,
    display_name: event.displayName ?? null,
    // `lean` applies no defaults, and events of earlier versions lack the field.
    display_name_verified: (event.isNameVerified as boolean | undefined) ?? false,
    route: event.route,
    request_id: event.requestId ?? null,
    action: event.action,
    target: event.target,
    before: (event.before ?? null) as unknown,
    after: (event.after ?? null) as unknown,
  };
}

type Condition = Readonly<Record<string, unknown>>;

interface ReleaseMade {
  readonly revision: number;
  readonly at: Date;
}

const inEnvironment = {
  production: {
    $or: [
      { action: { $regex: "\\.promote$|^releases\\.publish$" } },
      { "after.approval_status": "ACCEPTED" },
      { "before.approval_status": "ACCEPTED" },
      { "after.is_blacklisted": true },
      { "before.is_blacklisted": true },
    ],
  },
  staging: {
    $or: [
      { action: { $regex: "^(groups|messages|vehicle-data|module)\\.", $not: /\.promote$/ } },
      { "after.approval_status": "STAGING" },
      { "before.approval_status": "STAGING" },
    ],
  },
} as const satisfies Record<string, Condition>;

/** `made`: the release that the filter names, null if none; `named`: further targets that the item stands for. */
function buildAuditFilter(filter: AuditFilter, made: ReleaseMade | null, named: readonly string[]): Condition {
  const { target, person, family, item, action, environment, release, from, to } = filter;
  const conditions: Condition[] = [
    ...(target === undefined ? [] : [{ target }]),
    ...(person === undefined ? [] : [{ $or: [{ displayName: person }, { actor: person }] }]),
    ...(family === undefined ? [] : [{ target: { $regex: `^(${auditFamilies[family].join("|")})(:|$)` } }]),
    ...(item === undefined
      ? []
      : [{ $or: [{ target: { $regex: escapeRegExp(item), $options: "i" } }, { target: { $in: named } }] }]),
    ...(action === undefined ? [] : [{ action: { $regex: `^${escapeRegExp(action)}(\\.|$)` } }]),
    ...(environment === undefined ? [] : [inEnvironment[environment]]),
    // Events that keep the revision carry the next number, too, so the time must match as well. No revision is below
    // zero.
    ...(release === undefined ? [] : [made === null ? { revision: -1 } : { revision: made.revision, at: made.at }]),
    ...(from === undefined ? [] : [{ at: { $gte: from } }]),
    ...(to === undefined ? [] : [{ at: { $lt: to } }]),
  ];
  return conditions.length === 0 ? {} : { $and: conditions };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const types = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" } as const;

/** Streams all events that match the filters, newest first. `now`: for the file name. */
export async function exportAuditEvents({ format, ...filter }: AuditExportQuery, now: Date): Promise<FileAnswer> {
  const events = readAuditEvents(filter);
  return new FileAnswer(await StreamedData.start(format === "csv" ? streamCsv(events) : streamLines(events)), {
    type: types[format],
    name: `activity-${now.toISOString().slice(0, 10)}.${format}`,
  });
}

const columns = [
  ...["id", "time", "who", "verified", "as", "action", "target", "before", "after"],
  ...["revision", "route", "request_id"],
];

// The first chunk contains an event unless there is none: if the read fails at once, the client gets an error response.
async function* streamCsv(events: AsyncIterable<AuditEventJson>): AsyncGenerator<string> {
  let head = csvStart + buildCsvLine(columns);
  for await (const event of events) {
    const who = [event.display_name, event.display_name_verified, event.actor];
    const what = [event.action, event.target, toText(event.before), toText(event.after)];
    const line = [event.id, event.created_ts, ...who, ...what, event.revision, event.route, event.request_id];
    yield head + buildCsvLine(line);
    head = "";
  }
  if (head !== "") yield head;
}

const toText = (value: unknown) => (value === null ? null : typeof value === "string" ? value : JSON.stringify(value));

async function* streamLines(events: AsyncIterable<AuditEventJson>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}
