import { hash } from "node:crypto";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { SnapshotRollout } from "@/lib/policy/table/snapshot";
import type { RolloutFilters, RolloutSide } from "@/lib/vocabulary/rollouts";

/** A rollout with what vehicles outside of it are served. */
export interface ServedRollout {
  readonly rollout: SnapshotRollout;
  readonly before: CompiledPolicy;
}

/** What a request tells of its vehicle, as far as a rollout depends on it; null if not sent. Never stored or logged. */
export interface RolloutCar {
  /** The VIN, else the least device id. */
  readonly id: string | null;
  readonly hasVin: boolean;
  readonly country: string | null;
  readonly software: string | null;
  readonly hardware: string | null;
}

/** What a vehicle has of a release, as it sent it; null if it did not. Not to be kept beyond the call. */
export interface HeldTable {
  /** The text of its functional groups. */
  readonly groups: Buffer | null;
  readonly messagesVersion: string | null;
  readonly schemaVersion: string | null;
}

/** Of a table whose bytes of the groups were kept. */
export function readHeld(table: unknown): HeldTable {
  const groups = member(table, "functional_groupings");
  return {
    groups: Buffer.isBuffer(groups) ? groups : null,
    messagesVersion: textOf(member(member(table, "consumer_friendly_messages"), "version")),
    schemaVersion: textOf(member(member(table, "vehicle_data"), "schema_version")),
  };
}

/** Whether a vehicle has the release of a rollout, not the one before (`fleet.md` S12); null: unknown. */
export type HoldsRelease = (release: CompiledPolicy, before: CompiledPolicy, held: HeldTable) => boolean | null;

/** No member longer than this tells vehicles apart. */
const longestText = 255;

/** Reads what `policy_table` of a request tells (rule S12). Anything that is not sent as it should be counts as absent. */
export function readCar(table: unknown): RolloutCar {
  const meta = member(table, "module_meta");
  const vin = textOf(member(meta, "vin"));
  return {
    id: vin ?? leastName(member(table, "device_data")),
    hasVin: vin !== null,
    country: textOf(member(meta, "wers_country_code")),
    software: textOf(member(meta, "ccpu_version")),
    hardware: textOf(member(meta, "hardware_version")),
  };
}

/** By code units, so that the order depends on nothing else. */
function leastName(devices: unknown): string | null {
  if (!isMembers(devices)) return null;
  let least: string | null = null;
  for (const name of Object.keys(devices)) {
    if (textOf(name) !== null && (least === null || name < least)) least = name;
  }
  return least;
}

/**
 * Where the salt puts a vehicle, from 0 up to 1: equally distributed, and independent of other salts, because the salt
 * is the key. The salt has a fixed length and most of the digest is dropped, so that a plain hash of both is a keyed one;
 * an HMAC takes seven times as long, which would be 3 % of an answer.
 */
export function placeOf({ salt }: Pick<SnapshotRollout, "salt">, id: string): number {
  return Number.parseInt(hash("sha256", salt + id, "hex").slice(0, digits), 16) / 16 ** digits;
}
const digits = 12;

type Conditions = Pick<SnapshotRollout, "salt" | "percent" | "isPaused"> & RolloutFilters;

/**
 * On which side of a rollout a vehicle is (rules S11 to S13): the same at every request and on every instance, and once
 * in, in at every greater percentage. @param place from `placeOf`; null: the vehicle cannot be told from others
 * @param holds whether it has the release already; null: unknown
 */
export function sideAt(
  rollout: Conditions,
  car: RolloutCar,
  place: number | null,
  holds: boolean | null = null,
): RolloutSide {
  if (!isFor(rollout, car)) return "out";
  if (holds === true) return "in";
  // Paused, it gives the release to nobody who does not have it.
  if (holds === false && rollout.isPaused) return "out";
  if (rollout.percent >= 100) return "in";
  return place !== null && place * 100 < rollout.percent ? "in" : "out";
}

function isFor({ countries, software, hardware }: RolloutFilters, car: RolloutCar): boolean {
  return isAmong(countries, car.country) && isAmong(software, car.software) && isAmong(hardware, car.hardware);
}

const isAmong = (values: readonly string[], value: string | null) =>
  values.length === 0 || (value !== null && values.includes(value));

function isMembers(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= longestText ? value : null;
}
