import type { Spot } from "@/lib/policy/head-unit/finding";
import { integer, isObject, optional, quoted, text, type Check, type JsonObject } from "@/lib/policy/head-unit/values";

const onlyFromVehicles = ["usage_and_error_counts", "device_data"];

const moduleMeta: readonly (readonly [name: string, check: Check])[] = [
  ["ccpu_version", text({ min: 0, max: 500 })],
  ["hardware_version", text({ min: 0, max: 500 })],
  ["language", text({ min: 0, max: 250 })],
  ["wers_country_code", text({ min: 0, max: 250 })],
  ["vin", text({ min: 0, max: 250 })],
  ["pt_exchanged_at_odometer_x", integer({ min: 0, max: 17_000_000 })],
  ["pt_exchanged_x_days_after_epoch", integer({ min: 0, max: 65_535 })],
  ["ignition_cycles_since_last_exchange", integer({ min: 0, max: 65_535 })],
];

/** Checks that sections which only a vehicle sends are not in an update (section 8). */
export function checkVehicleSections(table: JsonObject, spot: Spot): void {
  for (const name of onlyFromVehicles) {
    const here = spot.at(name, "8 usage_and_error_counts, device_data");
    if (Object.hasOwn(table, name)) here.refuse(`${name} may not be in an update, not even empty or null`);
  }
  optional(table, "module_meta", spot.at("module_meta", "8 module_meta"), (meta, here) => {
    here.for("external").refuse("module_meta may not be in an update, not even empty");
    const regular = here.for("regular");
    if (!isObject(meta)) regular.refuse(`module_meta must be an object, not ${quoted(meta)}`);
    else for (const [name, check] of moduleMeta) optional(meta, name, regular.at(name), check);
  });
}
