import { buildReleaseKeys, groupDigest, groupsDigest, type ReleaseKeys, releaseKeys } from "@/lib/fleet/release-key";
import type { Sent } from "@/lib/policy/rollout/sent";
import type { HeldFacts, HoldsRelease } from "@/lib/policy/rollout/side";
import { readPermitTable } from "@/lib/policy/permits/car";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { oncePer } from "@/lib/platform/once-per";

/** Remembered: nearly all vehicles have one of two releases, in a few versions of Core. */
const maxTexts = 32;
const maxGroupsBytes = 262_144;
/** Texts that are read in a second: each takes up to a millisecond, and hostile requests bring a new one each. */
const maxNewPerSecond = 20;

interface Known {
  readonly text: Buffer;
  readonly digest: string;
}

interface Remembered {
  readonly release: CompiledPolicy;
  readonly groups: Buffer;
  readonly messagesVersion: Buffer | null;
  readonly schemaVersion: Buffer | null;
  readonly holds: boolean | null;
}

/**
 * Tells whether a vehicle has the release of a rollout by the groups and versions that it gives back (rules S4, S12).
 * Comparing them with those known takes a microsecond.
 */
export function createHoldsRelease(elapsed: () => number = () => performance.now()): HoldsRelease {
  const texts: Known[] = [];
  const rememberedOf = oncePer((_: CompiledPolicy): Remembered[] => []);
  let second = 0;
  let read = 0;

  const knownOf = (groups: Sent): Known | null => {
    const known = texts.find(({ text }) => groups.equals(text));
    if (known !== undefined) return known;
    const now = Math.floor(elapsed() / 1_000);
    if (now !== second) [second, read] = [now, 0];
    if (groups.length > maxGroupsBytes || read >= maxNewPerSecond) return null;
    read += 1;
    const text = groups.copy();
    const { groups: permitted } = readPermitTable({ functional_groupings: JSON.parse(text.toString()) as unknown });
    return remember(texts, { text, digest: groupsDigest(permitted.map(groupDigest)) });
  };

  return (release, before, held) => {
    const { groups, messagesVersion, schemaVersion } = held;
    if (groups === null) return null;
    const remembered = rememberedOf(before);
    for (const one of remembered) if (one.release === release && isSame(one, held)) return one.holds;
    const known = knownOf(groups);
    if (known === null) return null;
    const keys = releaseKeys(known.digest, messagesVersion?.text ?? "", schemaVersion?.text ?? null);
    const [own, other] = [messagesVersion?.copy() ?? null, schemaVersion?.copy() ?? null];
    const holds = compare(keys, release, before);
    return remember(remembered, { release, groups: known.text, messagesVersion: own, schemaVersion: other, holds })
      .holds;
  };
}

function remember<T>(all: T[], one: T): T {
  if (all.length >= maxTexts) all.shift();
  all.push(one);
  return one;
}

function isSame(one: Remembered, held: HeldFacts): boolean {
  const { messagesVersion, schemaVersion, groups } = held;
  const isEqual = (sent: Sent | null, text: Buffer | null) =>
    sent === null || text === null ? sent === text : sent.equals(text);
  return (
    isEqual(messagesVersion, one.messagesVersion) &&
    isEqual(schemaVersion, one.schemaVersion) &&
    isEqual(groups, one.groups)
  );
}

function compare(keys: ReleaseKeys, release: CompiledPolicy, before: CompiledPolicy): boolean | null {
  for (const part of ["whole", "withoutVehicleData"] as const) {
    const [isNew, isOld] = [release, before].map((policy) => keysOf(policy)[part].has(keys[part]));
    // What a release does not change, it has in common with the one before.
    if (isNew !== isOld) return isNew === true;
  }
  return null;
}

const keysOf = oncePer((policy: CompiledPolicy) => {
  const keys = buildReleaseKeys(policy);
  return {
    whole: new Set(keys.map(({ whole }) => whole)),
    withoutVehicleData: new Set(keys.map(({ withoutVehicleData }) => withoutVehicleData)),
  };
});
