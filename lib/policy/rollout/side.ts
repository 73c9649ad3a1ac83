import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { Sent, telling, VehicleFacts } from "@/lib/policy/rollout/sent";
import type { PlaceKey } from "@/lib/policy/rollout/place";
import type { SnapshotRollout } from "@/lib/policy/table/snapshot";
import type { RolloutFilters, RolloutSide } from "@/lib/vocabulary/rollouts";

/** A rollout with what vehicles outside of it are served. */
export interface ServedRollout {
  readonly rollout: SnapshotRollout;
  readonly before: CompiledPolicy;
  readonly placeKey: PlaceKey;
}

/** Whether a vehicle has the release of a rollout, not the one before (`fleet.md` S12); null: unknown. */
export type HoldsRelease = (release: CompiledPolicy, before: CompiledPolicy, held: HeldFacts) => boolean | null;
export type HeldFacts = Pick<VehicleFacts, "groups" | "messagesVersion" | "schemaVersion">;

/** What `policy_table` of a form tells. Of JSON, `readRequestBytes` reads it. */
export function factsOf(table: unknown): VehicleFacts {
  const facts = new VehicleFacts();
  const meta = member(table, "module_meta");
  facts.vin = textOf(member(meta, "vin"));
  facts.device = leastName(member(table, "device_data"));
  facts.country = textOf(member(meta, "wers_country_code"));
  facts.software = textOf(member(meta, "ccpu_version"));
  facts.hardware = textOf(member(meta, "hardware_version"));
  facts.messagesVersion = textOf(member(member(table, "consumer_friendly_messages"), "version"));
  facts.schemaVersion = textOf(member(member(table, "vehicle_data"), "schema_version"));
  return facts;
}

function leastName(devices: unknown): Sent | null {
  const names = (isMembers(devices) ? Object.keys(devices) : []).flatMap((name) => textOf(name) ?? []);
  return names.sort((one, other) => Buffer.compare(one.copy(), other.copy()))[0] ?? null;
}

type Conditions = Pick<SnapshotRollout, "percent" | "isPaused"> & RolloutFilters;
type Restricted = Pick<VehicleFacts, "country" | "software" | "hardware">;

/**
 * On which side of a rollout a vehicle is (rules S11 to S13): the same at every request and on every instance, and once
 * in, in at every greater percentage. @param place from `placeOf`; null: the vehicle cannot be told from others
 * @param holds whether it has the release already; null: unknown
 */
export function sideAt(
  rollout: Conditions,
  facts: Restricted,
  place: number | null,
  holds: boolean | null = null,
): RolloutSide {
  if (!isFor(rollout, facts)) return "out";
  if (holds === true) return "in";
  // Paused, it gives the release to nobody who does not have it.
  if (holds === false && rollout.isPaused) return "out";
  if (rollout.percent >= 100) return "in";
  return place !== null && place * 100 < rollout.percent ? "in" : "out";
}

function isFor({ countries, software, hardware }: RolloutFilters, facts: Restricted): boolean {
  return isAmong(countries, facts.country) && isAmong(software, facts.software) && isAmong(hardware, facts.hardware);
}

const isAmong = (values: readonly string[], value: Sent | null) =>
  values.length === 0 || (value !== null && values.includes(value.text));

function isMembers(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

const textOf = (value: unknown) => telling(typeof value === "string" ? Sent.of(value) : null);
