import { createHash } from "node:crypto";
import { memberOf } from "@/lib/policy/head-unit/values";
import { readGroup, readPermitTable } from "@/lib/policy/permits/car";
import type { PermitGroup } from "@/lib/policy/permits/permits";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { Edition } from "@/lib/policy/table/shared-sections";
import { ambiguousParameters, coreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { carBuilds, coreVersions, oldestCore } from "@/lib/vocabulary/head-units";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";

/**
 * A functional group in canonical form, hashed (rule S4): what a car gives back as it got it. Not part of it are the
 * order of RPCs, levels and parameters, RPCs without a level, `encryption_required`, which Core before 6.1 forgets, and
 * parameters whose spelling depends on the build.
 */
export function groupDigest({ name, prompt, rpcs }: PermitGroup): string {
  const kept = rpcs
    .filter(({ levels }) => levels.length > 0)
    .map(({ name: rpc, levels, parameters }) => [rpc, levels.toSorted(byCodeUnit), canonicalParameters(parameters)])
    .sort(([a], [b]) => byCodeUnit(String(a), String(b)));
  return digest(JSON.stringify([name, prompt, kept]));
}

function canonicalParameters(parameters: readonly string[] | null): readonly string[] | null {
  return parameters && distinct(parameters.filter((name) => !ambiguousParameters.has(name))).sort(byCodeUnit);
}

/** The groups of a table in any order, from their digests. */
export function groupsDigest(digests: readonly string[]): string {
  return digest(digests.toSorted(byCodeUnit).join(" "));
}

/** With the versions that a car gives back: the key with the vehicle data, and the key without it. */
export interface ReleaseKeys {
  readonly whole: string;
  readonly withoutVehicleData: string;
}

export function releaseKeys(groups: string, messagesVersion: string, schemaVersion: string | null): ReleaseKeys {
  const withoutVehicleData = digest(JSON.stringify([groups, messagesVersion]));
  return { whole: digest(JSON.stringify([withoutVehicleData, schemaVersion])), withoutVehicleData };
}

/** The keys as the value of a count, and back. */
export const keysText = ({ whole, withoutVehicleData }: ReleaseKeys) => `${whole} ${withoutVehicleData}`;

export function readKeysText(text: string): ReleaseKeys {
  const [whole = "", withoutVehicleData = ""] = text.split(" ");
  return { whole, withoutVehicleData };
}

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

const digest = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);
