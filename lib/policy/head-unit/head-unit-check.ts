import { checkAppPolicies } from "@/lib/policy/head-unit/app-policies";
import { checkConsumerMessages } from "@/lib/policy/head-unit/consumer-messages";
import { Spot, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { checkFunctionalGroupings } from "@/lib/policy/head-unit/functional-groupings";
import { checkModuleConfig } from "@/lib/policy/head-unit/module-config";
import { checkReading } from "@/lib/policy/head-unit/reading";
import {
  integer,
  isObject,
  memberOf,
  optional,
  quoted,
  required,
  text,
  type Check,
  type JsonObject,
} from "@/lib/policy/head-unit/values";
import { checkVehicleDataSection, itemNames } from "@/lib/policy/head-unit/vehicle-data";
import { knownRpcs } from "@/lib/policy/vocabulary/core-versions";

export type { HeadUnitBuild, HeadUnitFinding, HeadUnitSeverity } from "@/lib/policy/head-unit/finding";

/** Checks any JSON value as an update, in linear time (rule G9). Empty if every head unit accepts it unchanged. */
export function checkPolicyTable(table: unknown): readonly HeadUnitFinding[] {
  const findings: HeadUnitFinding[] = [];
  const spot = Spot.root(findings, "1 policy_table");
  if (!isObject(table)) {
    spot.refuse(`the policy table must be an object, not ${quoted(table)}`);
    return findings;
  }
  checkReading(table, spot.under("1 half surrogates"));
  const vehicleData = table["vehicle_data"];
  const groupings = table["functional_groupings"];
  const groups = new Set(isObject(groupings) ? Object.keys(groupings) : []);
  required(table, "module_config", spot.at("module_config", "6 module_config"), checkModuleConfig);
  optional(table, "vehicle_data", spot.at("vehicle_data", "8 vehicle_data"), checkVehicleDataSection);
  required(table, "functional_groupings", spot.at("functional_groupings", "5 functional_groupings"), (value, here) =>
    checkFunctionalGroupings(value, here, itemNames(vehicleData)),
  );
  const messages = spot.at("consumer_friendly_messages", "7 consumer_friendly_messages");
  optional(table, "consumer_friendly_messages", messages, (value, here) =>
    checkConsumerMessages(value, here, promptsOf(groupings)),
  );
  required(table, "app_policies", spot.at("app_policies", "4 app_policies"), (value, here) =>
    checkAppPolicies(value, here, groups),
  );
  optional(table, "rpc_priority_table", spot.at("rpc_priority_table", "8 rpc_priority_table"), checkRpcPriorities);
  checkVehicleSections(table, spot);
  return findings;
}

function promptsOf(groupings: unknown): ReadonlySet<string> {
  const prompts = Object.values(isObject(groupings) ? groupings : {}).map((group) =>
    memberOf(group, "user_consent_prompt"),
  );
  return new Set(prompts.filter((prompt) => typeof prompt === "string"));
}

const functionNames = new Set([...knownRpcs].map((name) => name.toLowerCase()));

/** Names are those of the HMI API, `UI.Alert` or `TTS.SPEAK`, whose functions are named like those of the mobile API. */
const checkRpcPriorities: Check = (value, spot) => {
  spot.correct("ignores this section: no released SDL Core reads it");
  const rpcs = memberOf(value, "rpc_priority");
  for (const name of isObject(rpcs) ? Object.keys(rpcs) : []) {
    if (functionNames.has(name.slice(name.lastIndexOf(".") + 1).toLowerCase())) continue;
    spot
      .at("rpc_priority")
      .at(name)
      .correct(`knows no RPC ${quoted(name)}`);
  }
};

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

function checkVehicleSections(table: JsonObject, spot: Spot): void {
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
