import "server-only";
import { createHash } from "node:crypto";
import { WriteConcern } from "mongodb";
import mongoose, { type ClientSession } from "mongoose";
import {
  type Cell,
  type Count,
  type Dimension,
  maxValues,
  otherValue,
  type Unit,
  unitMs,
} from "@/lib/fleet/dimensions";
import { inDatabase, requireDatabase } from "@/lib/platform/db/connection/connect";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { runReachable } from "@/lib/platform/db/connection/reachable";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { namesOf } from "@/lib/vocabulary/members";
import type { Environment } from "@/lib/vocabulary/terms";
import { FleetBatchModel } from "@/models/fleet-batch";
import { FleetCountModel } from "@/models/fleet-count";

const dayMs = unitMs.day;

/** How long counts are kept, in milliseconds (rule S5). Those of a part of the vehicles are many, so they go earlier. */
export const countsKeptMs = {
  all: { hour: 90 * dayMs, day: 2 * 365 * dayMs },
  part: { hour: 8 * dayMs, day: 100 * dayMs },
  batch: dayMs,
};

export interface Bucket {
  /** The beginning of the hour or day. */
  readonly at: Date;
  /** By value. */
  readonly values: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

interface Place {
  readonly environment: Environment;
  readonly dimension: Dimension;
  readonly cell: Cell;
}

/**
 * Adds counts to the hour and the day of a time, all or none. A value beyond the 1,000 of a dimension counts as "other".
 *
 * @param at milliseconds since 1970
 * @param batch a name for these counts: whoever repeats it within a day, e.g. because the outcome is unknown, adds nothing
 * @throws DatabaseUnavailable; the outcome may then be unknown
 */
export async function addCounts(at: number, counts: readonly Count[], batch: string | null = null): Promise<void> {
  if (counts.length === 0) return;
  await requireDatabase();
  requireExpectedDatabase();
  const buckets = bucketsOf(at, counts);
  try {
    await runReachable(
      async (session) => {
        if (batch === null || (await isNew(batch, session))) await store(buckets, session);
      },
      { readConcern: { level: "snapshot" }, writeConcern: new WriteConcern("majority") },
    );
  } catch (error) {
    throw toDatabaseError(error);
  }
}

async function isNew(batch: string, session: ClientSession): Promise<boolean> {
  if ((await FleetBatchModel.findOne({ _id: batch }).session(session).lean()) !== null) return false;
  await FleetBatchModel.insertMany([{ _id: batch, at: new Date() }], { session });
  return true;
}

interface NewBucket {
  readonly begin: number;
  readonly cell: Cell;
  readonly counts: Count[];
}

function bucketsOf(at: number, counts: readonly Count[]): ReadonlyMap<string, NewBucket> {
  const buckets = new Map<string, NewBucket>();
  for (const unit of namesOf(unitMs)) {
    const begin = Math.floor(at / unitMs[unit]) * unitMs[unit];
    for (const count of counts) {
      const id = idOf(unit, count, begin);
      const bucket = buckets.get(id) ?? { begin, cell: count.cell, counts: [] };
      bucket.counts.push(count);
      buckets.set(id, bucket);
    }
  }
  return buckets;
}

async function store(buckets: ReadonlyMap<string, NewBucket>, session: ClientSession): Promise<void> {
  const stored = await FleetCountModel.find({ _id: { $in: [...buckets.keys()] } })
    .session(session)
    .lean();
  const known = new Map(stored.map((bucket) => [bucket._id, [...readValues(bucket).keys()]]));
  // Without Mongoose, which takes ten times as long for a thousand fields.
  await counts().bulkWrite(
    [...buckets].map(([_id, { begin, cell, counts: added }]) => ({
      updateOne: {
        filter: { _id },
        update: {
          ...buildUpdate(added, new Set(known.get(_id))),
          $setOnInsert: { at: new Date(begin), cellValue: "value" in cell ? cell.value : null },
        },
        upsert: true,
      },
    })),
    { ordered: false, session },
  );
}

const counts = () =>
  mongoose.connection.collection<{ readonly _id: string }>(FleetCountModel.collection.collectionName);

function buildUpdate(counts: readonly Count[], known: Set<string>) {
  const $set: Record<string, string> = {};
  const $inc: Record<string, number> = {};
  for (const { value: text, counters } of counts) {
    const value = known.has(text) || known.size < maxValues ? text : otherValue;
    const field = `v${keyOf(value)}`;
    known.add(value);
    $set[field] = value;
    for (const [name, by] of Object.entries(counters)) {
      const member = `${field}_${name}`;
      $inc[member] = ($inc[member] ?? 0) + by;
    }
  }
  return { $set, $inc };
}

/** Removes what is older than it is kept. @throws DatabaseUnavailable */
export async function removeOldCounts(now: number): Promise<void> {
  const older = (ms: number) => ({ at: { $lt: new Date(now - ms) } });
  await inDatabase(async () => {
    await FleetCountModel.deleteMany({
      $or: [
        { _id: /^hour /, ...older(countsKeptMs.all.hour) },
        { _id: /^hour /, cellValue: { $ne: null }, ...older(countsKeptMs.part.hour) },
        { _id: /^day /, ...older(countsKeptMs.all.day) },
        { _id: /^day /, cellValue: { $ne: null }, ...older(countsKeptMs.part.day) },
      ],
    });
    await FleetBatchModel.deleteMany(older(countsKeptMs.batch));
  });
}

/**
 * Loads the buckets that begin from `from` (inclusive) to `to` (exclusive), the oldest first; those without a count are
 * missing. @throws DatabaseUnavailable
 */
export async function loadBuckets(unit: Unit, place: Place, from: Date, to: Date): Promise<Bucket[]> {
  const range = { $gte: idOf(unit, place, from.getTime()), $lt: idOf(unit, place, to.getTime()) };
  const stored = await inDatabase(() => FleetCountModel.find({ _id: range }).sort({ _id: 1 }).lean());
  return stored.map((bucket) => ({ at: bucket.at, values: readValues(bucket) }));
}

const fieldName = /^(v[0-9a-f]+)(?:_(\w+))?$/;

function readValues(bucket: object): Bucket["values"] {
  const byField = new Map<string, { value: string; readonly counters: Record<string, number> }>();
  for (const [name, stored] of Object.entries(bucket)) {
    const [, field, counter] = fieldName.exec(name) ?? [];
    if (field === undefined) continue;
    const one = byField.get(field) ?? { value: "", counters: {} };
    if (counter === undefined) one.value = String(stored);
    else one.counters[counter] = Number(stored);
    byField.set(field, one);
  }
  return new Map([...byField.values()].map(({ value, counters }) => [value, counters]));
}

function idOf(unit: Unit, { environment, dimension, cell }: Place, at: number): string {
  const vehicles = "value" in cell ? `${cell.of}-${keyOf(cell.value)}` : cell.of;
  return `${unit} ${environment} ${dimension} ${vehicles} ${new Date(at).toISOString()}`;
}

function keyOf(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 20);
}
