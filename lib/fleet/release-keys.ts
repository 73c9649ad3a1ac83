import "server-only";
import { groupDigest, groupsDigest, type ReleaseKeys, releaseKeys } from "@/lib/fleet/release-key";
import { memberOf } from "@/lib/policy/head-unit/values";
import { readGroup, readPermitTable } from "@/lib/policy/permits/car";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { Edition } from "@/lib/policy/table/shared-sections";
import { coreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { carBuilds, coreVersions, oldestCore } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";
import { FleetReleaseKeyModel } from "@/models/fleet-release-key";
import { ReleaseModel } from "@/models/release";

/** What cars give back of a policy: each version and build of Core keeps the RPCs and parameters that it knows. */
export function buildReleaseKeys({ sections }: Pick<CompiledPolicy, "sections">): readonly ReleaseKeys[] {
  const vehicleData: unknown = JSON.parse(sections.long.vehicleData);
  const tableOf = (edition: Edition) => {
    const groupings = Object.fromEntries(sections[edition].groupings.map(({ member }) => member));
    return readPermitTable({ functional_groupings: groupings, vehicle_data: vehicleData });
  };
  const tables = { older: tableOf("older"), newer: tableOf("long") };
  const digests = coreVersions.flatMap((version) => {
    const { groups, items } = tables[version === oldestCore ? "older" : "newer"];
    return carBuilds.map((build) => {
      const vocabulary = coreVocabulary(version, build, items);
      return groupsDigest(groups.map((group) => groupDigest(readGroup(group, vocabulary))));
    });
  });
  const schemaVersion = memberOf(vehicleData, "schema_version");
  return distinct(digests).map((digest) => {
    return releaseKeys(digest, sections.long.messagesVersion, typeof schemaVersion === "string" ? schemaVersion : null);
  });
}

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
