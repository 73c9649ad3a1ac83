import type { Spot } from "@/lib/policy/head-unit/finding";
import {
  boolean,
  greatestInteger,
  integer,
  isObject,
  list,
  map,
  optional,
  quoted,
  required,
  text,
  type Check,
  type JsonObject,
} from "@/lib/policy/head-unit/values";
import { zeroCounts } from "@/lib/vocabulary/module-config-labels";
import { harmlessPriorities, priorities } from "@/lib/policy/head-unit/words";

const rule = (row: string) => `6 module_config: ${row}`;
const mappingUrl = "custom_vehicle_data_mapping_url";

const url: Check = (value, spot) => {
  if (typeof value !== "string") spot.refuse(`an endpoint must be a text, not ${quoted(value)}`);
  else if (Buffer.byteLength(value) < 10) spot.refuse(`the URL ${quoted(value)} is shorter than 10 bytes`);
};

const endpointService: Check = (value, spot) => {
  map({ min: 1, max: 255 }, list({ min: 1, max: 3 }, url))(value, spot);
  if (isObject(value) && !Object.hasOwn(value, "default")) spot.refuse("the service has no default list");
};

const endpoints: Check = (value, spot) => {
  map({ min: 1, max: 255 }, endpointService)(value, spot);
  if (isObject(value) && !Object.hasOwn(value, "0x07")) {
    const here = spot.at("0x07", rule('endpoints["0x07"]'));
    here.warn("has nowhere to ask for its next update: the endpoint 0x07 is missing");
  }
};

const endpointProperties: Check = (value, spot) => {
  map({ min: 0, max: 255 }, (properties, here) => {
    if (isObject(properties)) optional(properties, "version", here.at("version"), text({ min: 0, max: 100 }));
  })(value, spot);
  if (!isObject(value) || !Object.hasOwn(value, mappingUrl)) return;
  const properties = value[mappingUrl];
  const here = spot.at(mappingUrl);
  if (!isObject(properties))
    here.refuse(`the properties of this endpoint must be an object, not ${quoted(properties)}`);
  else if (!Object.hasOwn(properties, "version")) here.at("version").refuse("this endpoint needs a version");
};

const notifications: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`the value must be an object, not ${quoted(value)}`);
    return;
  }
  // At most seven entries are allowed, and only six known ones remain after dropping the others.
  for (const [priority, count] of Object.entries(value)) {
    if (priorities.has(priority)) integer({ min: 0, max: 255 })(count, spot.at(priority));
    else if (!harmlessPriorities.has(priority)) {
      spot.at(priority, "3 notification priority").correct(`drops ${quoted(priority)}: it does not know this priority`);
    }
  }
};

const retries: Check = (value, spot) => {
  list({ min: 0, max: 5 }, integer({ min: 1, max: 1000 }))(value, spot);
  if (Array.isArray(value) && value.length === 0) spot.under("C7 seconds_between_retries").strand("the list is empty");
};

/** A number between 0 and a maximum, whose 0 is probably a mistake. */
const count =
  (name: keyof typeof zeroCounts, max: number): Check =>
  (value, spot) => {
    integer({ min: 0, max })(value, spot);
    // The other build leaves retries to the HMI.
    const here = name === "timeoutAfterXSeconds" ? spot.for("regular") : spot;
    if (value === 0) here.warn(zeroCounts[name]);
  };

const neededMembers: readonly (readonly [name: string, row: string, check: Check])[] = [
  ["exchange_after_x_ignition_cycles", "exchange_after_x_ignition_cycles", count("exchangeAfterXIgnitionCycles", 255)],
  ["exchange_after_x_kilometers", "exchange_after_x_kilometers", count("exchangeAfterXKilometers", greatestInteger)],
  ["exchange_after_x_days", "exchange_after_x_days", count("exchangeAfterXDays", 255)],
  ["timeout_after_x_seconds", "timeout_after_x_seconds", count("timeoutAfterXSeconds", 65_535)],
  ["seconds_between_retries", "seconds_between_retries", retries],
  ["endpoints", "endpoints", endpoints],
  ["notifications_per_minute_by_priority", "notifications_per_minute_by_priority", notifications],
];

const otherMembers: readonly (readonly [name: string, row: string, check: Check])[] = [
  ["endpoint_properties", "endpoint_properties", endpointProperties],
  ["subtle_notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority", notifications],
  ["certificate", "certificate", text({ min: 0, max: 65_535 })],
  ["lock_screen_dismissal_enabled", "lock_screen_dismissal_enabled, full_app_id_supported", boolean],
  ["full_app_id_supported", "lock_screen_dismissal_enabled, full_app_id_supported", boolean],
];

export function checkModuleConfig(value: unknown, spot: Spot): void {
  if (!isObject(value)) {
    spot.refuse(`the value must be an object, not ${quoted(value)}`);
    return;
  }
  for (const [name, row, check] of neededMembers) required(value, name, spot.at(name, rule(row)), check);
  for (const [name, row, check] of otherMembers) optional(value, name, spot.at(name, rule(row)), check);
  checkVehicle(value, spot);
  for (const name of ["preloaded_pt", "preloaded_date"]) {
    if (!Object.hasOwn(value, name)) continue;
    spot.at(name, rule("preloaded_pt, preloaded_date")).for("external").refuse(`${name} may not be in an update`);
  }
}

function checkVehicle(config: JsonObject, spot: Spot): void {
  for (const name of ["vehicle_make", "vehicle_model"]) {
    optional(config, name, spot.at(name, rule("vehicle_make, vehicle_model")), (value, here) => {
      text({ min: 0, max: 100 })(value, here);
      if (value === "") here.for("regular").refuse("the text is empty");
    });
  }
  optional(config, "vehicle_year", spot.at("vehicle_year", rule("vehicle_year")), (value, here) => {
    text({ min: 0, max: 4 })(value, here);
    if (typeof value === "string" && Buffer.byteLength(value) < 4)
      here.for("regular").refuse("the year must have 4 digits");
  });
}
