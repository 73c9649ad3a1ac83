import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { longestName, Sent } from "@/lib/policy/rollout/sent";
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
  readonly id: Sent | null;
  readonly hasVin: boolean;
  readonly country: Sent | null;
  readonly software: Sent | null;
  readonly hardware: Sent | null;
}

/** What a vehicle has of a release, as it sent it; null if it did not. Not to be kept beyond the call. */
export interface HeldTable {
  /** Its functional groups; null also if they were not sent as JSON. */
  readonly groups: Sent | null;
  readonly messagesVersion: Sent | null;
  readonly schemaVersion: Sent | null;
}

/** Reads what `policy_table` of a request has of a release. */
export function readHeld(table: unknown): HeldTable {
  return {
    groups: groupsOf(table),
    messagesVersion: nameIn(member(table, "consumer_friendly_messages"), "version"),
    schemaVersion: nameIn(member(table, "vehicle_data"), "schema_version"),
  };
}

/** The functional groups of `policy_table` of a request; null if they were not sent as JSON. */
export function groupsOf(table: unknown): Sent | null {
  const groups = member(table, "functional_groupings");
  return groups instanceof Sent ? groups : null;
}

/** Whether a vehicle has the release of a rollout, not the one before (`fleet.md` S12); null: unknown. */
export type HoldsRelease = (release: CompiledPolicy, before: CompiledPolicy, held: HeldTable) => boolean | null;

/** Reads what `policy_table` of a request tells (rule S12). Anything that is not sent as it should be counts as absent. */
export function readCar(table: unknown): RolloutCar {
  const meta = member(table, "module_meta");
  const vin = nameIn(meta, "vin");
  return {
    id: vin ?? leastName(member(table, "device_data")),
    hasVin: vin !== null,
    country: nameIn(meta, "wers_country_code"),
    software: nameIn(meta, "ccpu_version"),
    hardware: nameIn(meta, "hardware_version"),
  };
}

function leastName(devices: unknown): Sent | null {
  if (devices instanceof Sent) return nameOf(devices);
  if (!isMembers(devices)) return null;
  // Of a form, all devices are there.
  const names = Object.keys(devices).flatMap((name) => nameOf(name) ?? []);
  return names.sort((one, other) => Buffer.compare(one.copy(), other.copy()))[0] ?? null;
}

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

const isAmong = (values: readonly string[], value: Sent | null) =>
  values.length === 0 || (value !== null && values.includes(value.text));

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function member(value: unknown, name: string): unknown {
  return isMembers(value) ? value[name] : undefined;
}

const nameIn = (value: unknown, name: string) => nameOf(member(value, name));

function nameOf(value: unknown): Sent | null {
  const sent = typeof value === "string" ? Sent.of(value) : value;
  return sent instanceof Sent && sent.length > 0 && sent.length <= longestName ? sent : null;
}
