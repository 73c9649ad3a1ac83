import { buildReleaseKeys, groupDigest, groupsDigest, type ReleaseKeys, releaseKeys } from "@/lib/fleet/release-key";
import type { HoldsRelease } from "@/lib/policy/rollout/side";
import { readPermitTable } from "@/lib/policy/permits/car";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { oncePer } from "@/lib/platform/once-per";

/** Texts of groups that are remembered: nearly all vehicles have those of one of two releases, in a few versions of Core. */
const maxTexts = 32;
const maxGroupsBytes = 262_144;
/** Texts that are read in a second: each takes up to a millisecond, and hostile requests bring a new one each. */
const maxNewPerSecond = 20;

interface Known {
  readonly text: Buffer;
  readonly digest: string;
}

/**
 * Tells whether a vehicle has the release of a rollout by the groups and versions that it gives back (rules S4, S12).
 * Comparing a text with those known takes a microsecond.
 */
export function createHoldsRelease(elapsed: () => number = () => performance.now()): HoldsRelease {
  const texts: Known[] = [];
  const known = new Map<string, ReleaseKeys>();
  let second = 0;
  let read = 0;

  const digestOf = (text: Buffer): string | null => {
    const known = texts.find((one) => one.text.equals(text));
    if (known !== undefined) return known.digest;
    const now = Math.floor(elapsed() / 1_000);
    if (now !== second) [second, read] = [now, 0];
    if (text.length > maxGroupsBytes || read >= maxNewPerSecond) return null;
    read += 1;
    const { groups } = readPermitTable({ functional_groupings: JSON.parse(text.toString()) as unknown });
    const digest = groupsDigest(groups.map(groupDigest));
    if (texts.length >= maxTexts) texts.shift();
    // A copy, because the text is a part of a larger buffer.
    texts.push({ text: Buffer.from(text), digest });
    return digest;
  };

  const keysFor = (digest: string, messagesVersion: string, schemaVersion: string | null): ReleaseKeys => {
    const text = JSON.stringify([digest, messagesVersion, schemaVersion]);
    const keys = known.get(text) ?? releaseKeys(digest, messagesVersion, schemaVersion);
    if (known.size >= maxTexts) known.clear();
    known.set(text, keys);
    return keys;
  };

  return (release, before, { groups, messagesVersion, schemaVersion }) => {
    const digest = groups === null ? null : digestOf(groups);
    if (digest === null) return null;
    const keys = keysFor(digest, messagesVersion ?? "", schemaVersion);
    for (const part of ["whole", "withoutVehicleData"] as const) {
      const [isNew, isOld] = [release, before].map((policy) => keysOf(policy)[part].has(keys[part]));
      // What a release does not change, it has in common with the one before.
      if (isNew !== isOld) return isNew === true;
    }
    return null;
  };
}

const keysOf = oncePer((policy: CompiledPolicy) => {
  const keys = buildReleaseKeys(policy);
  return {
    whole: new Set(keys.map(({ whole }) => whole)),
    withoutVehicleData: new Set(keys.map(({ withoutVehicleData }) => withoutVehicleData)),
  };
});
