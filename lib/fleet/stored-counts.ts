import "server-only";
import { createHash } from "node:crypto";
import type { Cell, Count, Dimension } from "@/lib/fleet/dimensions";
import { otherValue } from "@/lib/fleet/dimensions";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import type { Environment } from "@/lib/vocabulary/terms";
import { FleetCountModel } from "@/models/fleet-count";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const unitMs = { hour: hourMs, day: dayMs } as const;
export type Unit = keyof typeof unitMs;
const units = ["hour", "day"] as const;

/** How long counts are kept, in milliseconds (rule S5). Those of a part of the vehicles are many, so their hours go earlier. */
export const keptMs = { hour: 90 * dayMs, day: 2 * 365 * dayMs, hourOfPart: 8 * dayMs };

/** Values of a dimension in an hour or a day; the rest is "other". */
const maxValues = 1_000;

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
type Stored = Readonly<Record<string, { readonly value: string } & Readonly<Record<string, number | string>>>>;

/**
 * Adds counts to the hour and the day of a time, in one bulk write. A value beyond the 1,000 of a dimension counts as
 * "other". @param at milliseconds since 1970 @throws DatabaseUnavailable; nothing or all of a bucket is stored then
 */
export async function addCounts(at: number, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  requireExpectedDatabase();
  const buckets = new Map<string, { readonly begin: number; readonly cell: Cell; readonly counts: Count[] }>();
  for (const unit of units) {
    const begin = Math.floor(at / unitMs[unit]) * unitMs[unit];
    for (const count of counts) {
      const id = idOf(unit, count, begin);
      const bucket = buckets.get(id) ?? { begin, cell: count.cell, counts: [] };
      bucket.counts.push(count);
      buckets.set(id, bucket);
    }
  }
  await inDatabase(async () => {
    const stored = await FleetCountModel.find({ _id: { $in: [...buckets.keys()] } }).lean();
    const known = new Map(stored.map(({ _id, values }) => [_id, Object.keys((values ?? {}) as Stored)]));
    await FleetCountModel.bulkWrite(
      [...buckets].map(([_id, bucket]) => ({
        updateOne: {
          filter: { _id },
          update: {
            ...buildUpdate(bucket.counts, new Set(known.get(_id))),
            $setOnInsert: { at: new Date(bucket.begin), cellValue: "value" in bucket.cell ? bucket.cell.value : null },
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  });
}

function buildUpdate(counts: readonly Count[], known: Set<string>) {
  const $set: Record<string, string> = {};
  const $inc: Record<string, number> = {};
  for (const { value: text, counters } of counts) {
    const isRoom = known.has(keyOf(text)) || known.size < maxValues;
    const value = isRoom ? text : otherValue;
    const key = keyOf(value);
    known.add(key);
    $set[`values.${key}.value`] = value;
    for (const [name, by] of Object.entries(counters)) {
      const member = `values.${key}.${name}`;
      $inc[member] = ($inc[member] ?? 0) + by;
    }
  }
  return { $set, $inc };
}

/** Removes what is older than it is kept. @throws DatabaseUnavailable */
export async function removeOldCounts(now: number): Promise<void> {
  const older = (ms: number) => ({ at: { $lt: new Date(now - ms) } });
  await inDatabase(() =>
    FleetCountModel.deleteMany({
      $or: [
        { _id: /^hour /, ...older(keptMs.hour) },
        { _id: /^hour /, cellValue: { $ne: null }, ...older(keptMs.hourOfPart) },
        { _id: /^day /, ...older(keptMs.day) },
      ],
    }),
  );
}

/**
 * Loads the buckets that begin from `from` (inclusive) to `to` (exclusive), the oldest first; those without a count are
 * missing. @throws DatabaseUnavailable
 */
export async function loadBuckets(unit: Unit, place: Place, from: Date, to: Date): Promise<Bucket[]> {
  const range = { $gte: idOf(unit, place, from.getTime()), $lt: idOf(unit, place, to.getTime()) };
  const stored = await inDatabase(() => FleetCountModel.find({ _id: range }).sort({ _id: 1 }).lean());
  return stored.map(({ at, values }) => ({
    at,
    values: new Map(
      Object.values((values ?? {}) as Stored).map(({ value, ...counters }) => [
        value,
        counters as Record<string, number>,
      ]),
    ),
  }));
}

function idOf(unit: Unit, { environment, dimension, cell }: Place, at: number): string {
  const vehicles = "value" in cell ? `${cell.of}-${keyOf(cell.value)}` : cell.of;
  return `${unit} ${environment} ${dimension} ${vehicles} ${new Date(at).toISOString()}`;
}

function keyOf(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 20);
}
