import type { Spot } from "@/lib/policy/head-unit/finding";
import { ambiguousParameters, knownParameters, knownRpcs } from "@/lib/policy/vocabulary/core-versions";
import {
  boolean,
  checkCount,
  integer,
  isObject,
  keptValues,
  list,
  map,
  optional,
  passes,
  quoted,
  required,
  text,
  type Check,
} from "@/lib/policy/head-unit/values";
import { levels } from "@/lib/policy/head-unit/words";

export const maxGroups = 255;

const rule = (row: string) => `5 functional_groupings: ${row}`;

/** Checks `functional_groupings` (section 5); `customData` are the names of the update's vehicle data items. */
export function checkFunctionalGroupings(value: unknown, spot: Spot, customData: ReadonlySet<string>): void {
  const here = spot.under(rule("number of groups"));
  const checkAny: Check = (group, there) => {
    // Without words that only custom data explains, the custom data does not matter.
    if (!isPlainGroup(group)) checkGroup(group, there, customData);
  };
  map({ min: 1, max: maxGroups }, checkAny)(value, here);
}

const isPlainGroup = passes((group, spot) => checkGroup(group, spot, new Set()));

function checkGroup(group: unknown, spot: Spot, customData: ReadonlySet<string>): void {
  if (!isObject(group)) {
    spot.under(rule("group")).refuse(`a group must be an object, not ${quoted(group)}`);
    return;
  }
  required(group, "rpcs", spot.at("rpcs", rule("rpcs")), (rpcs, here) => {
    if (rpcs === null) return;
    if (!isObject(rpcs)) here.refuse(`rpcs must be an object or null, not ${quoted(rpcs)}`);
    else for (const [name, rpc] of Object.entries(rpcs)) checkRpc(name, rpc, here.at(name), customData);
  });
  const prompt = spot.at("user_consent_prompt", rule("user_consent_prompt"));
  optional(group, "user_consent_prompt", prompt, text({ min: 1, max: 255 }));
  optional(group, "encryption_required", spot.at("encryption_required", rule("encryption_required")), boolean);
  for (const side of ["on", "off"]) {
    const name = `disallowed_by_external_consent_entities_${side}`;
    const here = spot.at(name, rule("disallowed_by_external_consent_entities")).for("external");
    optional(group, name, here, list({ min: 0, max: 100 }, consentEntity));
  }
}

const consentEntity: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`a consent entity must be an object, not ${quoted(value)}`);
    return;
  }
  required(value, "entityType", spot.at("entityType"), integer({ min: 0, max: 128 }));
  required(value, "entityID", spot.at("entityID"), integer({ min: 0, max: 128 }));
};

function checkRpc(name: string, rpc: unknown, spot: Spot, customData: ReadonlySet<string>): void {
  if (!knownRpcs.has(name)) {
    spot.under("3 RPC name").correct(`drops the RPC ${quoted(name)}: it does not know it`);
    return;
  }
  if (!isObject(rpc)) {
    spot.refuse(`an RPC must be an object, not ${quoted(rpc)}`);
    return;
  }
  required(rpc, "hmi_levels", spot.at("hmi_levels", rule("hmi_levels")), checkLevels);
  optional(rpc, "parameters", spot.at("parameters", rule("parameters")), checkParameters(customData));
}

const checkLevels: Check = (value, spot) => {
  const whyDropped = (level: string) => (levels.has(level) ? null : "it does not know this HMI level");
  const kept = keptValues(value, spot, "3 hmi_levels", whyDropped, "dropped");
  if (!kept) return;
  checkCount(kept.length, { min: 0, max: 4 }, "HMI levels", spot);
  if (kept.length === 0) spot.warn("allows the RPC at no HMI level");
};

const checkParameters =
  (customData: ReadonlySet<string>): Check =>
  (value, spot) => {
    const kept = keptValues(value, spot, "3 parameters", (name) => {
      if (Buffer.byteLength(name) > 255) return "it is longer than 255 bytes";
      return knownParameters.has(name) || customData.has(name)
        ? null
        : "neither the mobile API nor this update knows it";
    });
    if (!kept) return;
    if (kept.length > 255) spot.refuse(`there may be at most 255 parameters, not ${kept.length}`);
    else if (kept.length > 100) spot.for("external").refuse(`there may be at most 100 parameters, not ${kept.length}`);
    else if (kept.length === 0) spot.warn("forbids every parameter of the RPC: the list is empty");
    for (const [index, name] of Array.isArray(value) ? value.entries() : []) {
      if (typeof name !== "string" || !ambiguousParameters.has(name)) continue;
      spot.at(index, "3 parameters").warn(`may drop ${quoted(name)}: which spelling of it is known varies by build`);
    }
  };
