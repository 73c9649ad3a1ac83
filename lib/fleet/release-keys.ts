import "server-only";
import { unitMs } from "@/lib/fleet/dimensions";
import type { ReleaseKeys } from "@/lib/fleet/release-key";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { distinct } from "@/lib/vocabulary/order";
import { FleetReleaseKeyModel } from "@/models/fleet-release-key";
import { ReleaseModel } from "@/models/release";
import { RolloutModel } from "@/models/rollout";

/** Notes that the newest release up to a revision served these. @throws DatabaseUnavailable */
export async function saveReleaseKeys(revision: number, keys: readonly ReleaseKeys[]): Promise<void> {
  requireExpectedDatabase();
  await inDatabase(async () => {
    const newest = await ReleaseModel.findOne({ revision: { $lte: revision } }, { _id: 1 })
      .sort({ _id: -1 })
      .lean();
    if (newest === null) return;
    const all = distinct(keys.flatMap(({ whole, withoutVehicleData }) => [whole, withoutVehicleData]));
    await FleetReleaseKeyModel.bulkWrite(
      all.map((_id) => ({
        updateOne: { filter: { _id }, update: { $max: { release: newest._id } }, upsert: true },
      })),
      { ordered: false },
    );
  });
}

/** Twice the days after which head units ask at the latest, with the default module config. */
const currentForMs = 60 * unitMs.day;

/**
 * The oldest release that was in service within the last 60 days, at `now` (milliseconds since 1970). A rollout of that
 * time kept the release before it in service (`operations.md` O3a). @throws DatabaseUnavailable
 */
export async function findOldestCurrent(now: number): Promise<number> {
  const since = new Date(now - currentForMs);
  return inDatabase(async () => {
    const [then, rollout] = await Promise.all([
      ReleaseModel.findOne({ at: { $lte: since } }, { _id: 1 })
        .sort({ _id: -1 })
        .lean(),
      RolloutModel.findOne({ $or: [{ endedAt: null }, { endedAt: { $gt: since } }] }, { before: 1 })
        .sort({ _id: 1 })
        .lean(),
    ]);
    return Math.min(then?._id ?? 0, rollout?.before ?? Infinity);
  });
}

/**
 * The releases of keys, by `whole`. A car that gives back other vehicle data than any release, or none, counts for the
 * newest release with its groups and messages; missing: unknown. @throws DatabaseUnavailable
 */
export async function findReleases(all: readonly ReleaseKeys[]): Promise<ReadonlyMap<string, number>> {
  if (all.length === 0) return new Map();
  const ids = all.flatMap(({ whole, withoutVehicleData }) => [whole, withoutVehicleData]);
  const stored = await inDatabase(() => FleetReleaseKeyModel.find({ _id: { $in: ids } }).lean());
  const releases = new Map(stored.map(({ _id, release }) => [_id, release]));
  return new Map(
    all.flatMap(({ whole, withoutVehicleData }) => {
      const release = releases.get(whole) ?? releases.get(withoutVehicleData);
      return release === undefined ? [] : [[whole, release] as const];
    }),
  );
}
