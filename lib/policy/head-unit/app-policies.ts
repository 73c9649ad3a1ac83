import type { Spot } from "@/lib/policy/head-unit/finding";
import { checkAppMembers } from "@/lib/policy/head-unit/app-members";
import {
  boolean,
  checkCount,
  isObject,
  list,
  optional,
  quoted,
  required,
  text,
  type Check,
  type JsonObject,
} from "@/lib/policy/head-unit/values";
import { levels, priorities } from "@/lib/policy/head-unit/words";

const rule = (row: string) => `4 app_policies: ${row}`;

/** Checks `app_policies` (section 4); `groups` are the names in `functional_groupings` of the same update. */
export function checkAppPolicies(value: unknown, spot: Spot, groups: ReadonlySet<string>): void {
  if (!isObject(value)) {
    spot.refuse(`the value must be an object, not ${quoted(value)}`);
    return;
  }
  const apps = Object.keys(value).filter((id) => id !== "device");
  checkCount(apps.length, { min: 1, max: 1000 }, "entries without device", spot.under(rule("number of entries")));
  for (const name of ["default", "pre_DataConsent"]) {
    if (!Object.hasOwn(value, name)) spot.at(name, rule("default and pre_DataConsent")).refuse(`${name} is missing`);
  }
  for (const id of apps) checkEntry(id, value[id], spot.at(id), groups);
  required(value, "device", spot.at("device", rule("device")), (device, here) => checkDevice(device, here, groups));
}

function checkEntry(id: string, entry: unknown, spot: Spot, groups: ReadonlySet<string>): void {
  const fixed = id === "default" || id === "pre_DataConsent";
  if (id !== id.toLowerCase() && !fixed) {
    spot
      .under(rule("app ids"))
      .warn(`never matches this id: apps register in lower case, keys are compared as written`);
  }
  if (entry === null) {
    if (id === "default") spot.under(rule("null entry")).warn(`revokes every app set to "default"`);
    else if (fixed) spot.under(rule("null entry")).warn("revokes every app until its user has consented");
  } else if (typeof entry === "string") {
    if (entry === "") spot.under(rule("text entry")).refuse("the entry is an empty text");
    else if (fixed) {
      spot.under(rule("text entry")).warn(`takes ${id} for a copy of another entry; it must be an object`);
      spot.under("C11 fixed entry").strand(`${id} is a text`);
    } else if (entry !== "default") {
      spot.under(rule("text entry")).warn(`gives the app no groups, and forgets the text ${quoted(entry)} on restart`);
    }
  } else if (isObject(entry)) checkPolicy(entry, spot, groups);
  else spot.under(rule("entry")).refuse(`an entry must be an object, "default" or null, not ${quoted(entry)}`);
}

function checkPolicy(policy: JsonObject, spot: Spot, groups: ReadonlySet<string>): void {
  required(policy, "groups", spot.at("groups", rule("groups")), checkGroups(groups));
  checkConsentAndFocus(policy, spot);
  const preconsented = policy["preconsented_groups"];
  const own = policy["groups"];
  if (Array.isArray(preconsented) && Array.isArray(own) && preconsented.length > own.length) {
    const here = spot.at("preconsented_groups", rule("preconsented_groups")).for("external");
    here.refuse("there are more preconsented_groups than groups");
  }
  if (!priorities.has(policy["priority"])) {
    const found = quoted(policy["priority"]);
    spot.at("priority", "3 app priority").correct(`takes ${found} for EMERGENCY, the highest priority`);
  }
  if (!levels.has(policy["default_hmi"])) {
    const found = quoted(policy["default_hmi"]);
    spot.at("default_hmi", "3 app default_hmi").for("external").correct(`takes ${found} for FULL, the highest level`);
  }
  checkAppMembers(policy, spot);
}

/** Only the strict build checks more than the priority of `device`. */
function checkDevice(device: unknown, spot: Spot, groups: ReadonlySet<string>): void {
  if (!isObject(device)) {
    spot.refuse(`device must be an object, not ${quoted(device)}`);
    return;
  }
  required(device, "priority", spot.at("priority", rule("device priority")), (value, here) => {
    if (!priorities.has(value)) here.refuse(`the priority of device is not known: ${quoted(value)}`);
  });
  const strict = spot.for("external");
  required(device, "default_hmi", strict.at("default_hmi", "3 device.default_hmi"), (value, here) => {
    if (!levels.has(value)) here.refuse(`the HMI level of device is not known: ${quoted(value)}`);
  });
  required(device, "groups", strict.at("groups", rule("groups")), checkGroups(groups));
  checkConsentAndFocus(device, spot);
}

function checkConsentAndFocus(policy: JsonObject, spot: Spot): void {
  const strict = spot.for("external");
  required(policy, "keep_context", strict.at("keep_context", rule("keep_context, steal_focus")), boolean);
  required(policy, "steal_focus", strict.at("steal_focus", rule("keep_context, steal_focus")), boolean);
  const names = list({ min: 0, max: 255 }, text({ min: 1, max: 255 }));
  optional(policy, "preconsented_groups", strict.at("preconsented_groups", rule("preconsented_groups")), names);
}

const checkGroups =
  (known: ReadonlySet<string>): Check =>
  (value, spot) => {
    list({ min: 0, max: 255 }, text({ min: 1, max: 255 }))(value, spot);
    if (!Array.isArray(value)) return;
    if (value.length === 0) spot.for("external").refuse("the list of groups is empty");
    for (const [index, name] of value.entries()) {
      if (typeof name !== "string" || name === "" || known.has(name)) continue;
      const here = spot.at(index, rule("groups not in functional_groupings"));
      here.warn(`grants nothing for the group ${quoted(name)}, which this update does not define`);
    }
    if (value.length > 0 && !value.some((name) => typeof name === "string" && known.has(name))) {
      spot.under("C8 groups").strand("this update defines none of the entry's groups");
    }
  };
