import type { Spot } from "@/lib/policy/head-unit/finding";
import { describeList, entryMembers } from "@/lib/policy/head-unit/meanings";
import {
  boolean,
  checkCount,
  greatestInteger,
  integer,
  isObject,
  keptValues,
  list,
  map,
  optional,
  quoted,
  required,
  text,
  type Check,
  type JsonObject,
} from "@/lib/policy/head-unit/values";
import { carBuilds } from "@/lib/vocabulary/head-units";
import { appHmiTypes, knownHybridPreferences, moduleTypes, requestTypes } from "@/lib/policy/head-unit/words";

const rule = (row: string) => `4 app_policies: ${row}`;
const longText = text({ min: 0, max: 65_535 });
const shortText = text({ min: 0, max: 255 });

const hybridPreference: Check = (value, spot) => {
  if (!knownHybridPreferences.has(value))
    spot.refuse(`the preference must be MOBILE, CLOUD or BOTH, not ${quoted(value)}`);
};

const handledRpc: Check = (value, spot) => {
  if (!isObject(value)) spot.refuse(`a handled RPC must be an object, not ${quoted(value)}`);
  else required(value, "function_id", spot.at("function_id"), integer({ min: 0, max: greatestInteger }));
};

const service: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`an app service must be an object, not ${quoted(value)}`);
    return;
  }
  required(value, "handled_rpcs", spot.at("handled_rpcs"), (rpcs, here) => {
    list({ min: 0, max: 255 }, handledRpc)(rpcs, here);
    if (Array.isArray(rpcs) && rpcs.length === 0) here.under("C6 handled_rpcs").strand("the service handles no RPC");
  });
  optional(value, "service_names", spot.at("service_names"), list({ min: 0, max: 255 }, shortText));
};

const members: readonly (readonly [name: string, row: string, check: Check])[] = [
  ["nicknames", "nicknames", list({ min: 0, max: 255 }, text({ min: 1, max: 255 }))],
  ["heart_beat_timeout_ms", "heart_beat_timeout_ms", integer({ min: 0, max: greatestInteger })],
  ["certificate", "certificate, auth_token, icon_url", longText],
  ["auth_token", "certificate, auth_token, icon_url", longText],
  ["icon_url", "certificate, auth_token, icon_url", longText],
  ["endpoint", "endpoint, cloud_transport_type", shortText],
  ["cloud_transport_type", "endpoint, cloud_transport_type", shortText],
  ["hybrid_app_preference", "hybrid_app_preference", hybridPreference],
  ["enabled", "enabled, encryption_required, allow_unknown_rpc_passthrough", boolean],
  ["encryption_required", "enabled, encryption_required, allow_unknown_rpc_passthrough", boolean],
  ["allow_unknown_rpc_passthrough", "enabled, encryption_required, allow_unknown_rpc_passthrough", boolean],
  ["app_services", "app_services", map({ min: 0, max: 255 }, service)],
];

/** Checks the members of an app's entry besides groups, consent, focus, priority and level (sections 3 and 4). */
export function checkAppMembers(policy: JsonObject, spot: Spot): void {
  for (const [name, row, check] of members) optional(policy, name, spot.at(name, rule(row)), check);
  optional(policy, "AppHMIType", spot.at("AppHMIType", rule("AppHMIType")), (value, here) => {
    const whyDropped = (type: string) => (appHmiTypes.has(type) ? null : "it does not know this HMI type");
    const kept = keptValues(value, here, "3 AppHMIType", whyDropped, "dropped");
    if (kept) checkCount(kept.length, { min: 0, max: 255 }, "HMI types", here);
  });
  optional(policy, "moduleType", spot.at("moduleType", rule("moduleType")), checkModuleTypes);
  optional(policy, "RequestType", spot.at("RequestType", "3 RequestType"), checkRequestTypes);
  optional(policy, "RequestSubType", spot.at("RequestSubType", "3 RequestSubType"), (value, here) => {
    if (Array.isArray(value)) return;
    const effect = describeList(entryMembers.RequestSubType, null, "external", "request subtype");
    here.correct(`takes ${quoted(value)} to mean that ${effect}`);
  });
}

const checkModuleTypes: Check = (value, spot) => {
  const kept = keptValues(value, spot, "3 moduleType", (type) =>
    moduleTypes.has(type) ? null : "it does not know this module type",
  );
  if (!kept || !Array.isArray(value)) return;
  checkCount(kept.length, { min: 0, max: 255 }, "module types", spot);
  if (value.length === 0) {
    spot.warn(`takes the empty list to mean that ${describeList(entryMembers.moduleType, [], "external", "module")}`);
  } else if (kept.length === 0) {
    const effect = describeList(entryMembers.moduleType, undefined, "external", "module");
    spot.under("3 moduleType").correct(`knows none of the module types: ${effect}`);
  }
};

const checkRequestTypes: Check = (value, spot) => {
  if (!Array.isArray(value)) {
    for (const build of carBuilds) {
      const effect = describeList(entryMembers.RequestType, null, build, "request type");
      spot.for(build).correct(`takes ${quoted(value)} to mean that ${effect}`);
    }
    return;
  }
  const types: readonly unknown[] = value;
  for (const [index, type] of types.entries()) {
    if (!requestTypes.has(type)) spot.at(index).correct(`drops ${quoted(type)}: it does not know this request type`);
  }
  if (types.length > 0 && !types.some((type) => requestTypes.has(type))) {
    const effect = describeList(entryMembers.RequestType, undefined, "external", "request type");
    spot.correct(`knows none of the request types: ${effect}`);
  }
};
