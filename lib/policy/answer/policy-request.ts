"one per process";

import { isWholeText } from "@/lib/vocabulary/whole-text";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";

/** Maximum length of a token that a head unit accepts, in bytes (rule A12). */
const longestToken = 65_535;
/** Maximum number of entries in a table for head units, without `device`, and of ids in a request. */
export const maxAppIds = 1_000;
/** Maximum number of entries for requested ids, besides `default` and `pre_DataConsent`. */
const maxEntries = maxAppIds - 2;

/** Required members in the order of checking. */
export const requiredMembers = [
  "app_policies",
  "consumer_friendly_messages",
  "device_data",
  "functional_groupings",
  "module_config",
  "usage_and_error_counts",
] as const;

export interface PolicyRequest {
  /** Requested app ids that get an entry, in order, with their sent values. */
  readonly apps: readonly (readonly [id: string, sent: unknown])[];
  readonly fullAppIdSupported: boolean;
  /** Whether the head unit is older than Core 5.0, which refuses unknown content. */
  readonly isOlder: boolean;
}

/** A request that violates rule R1 or R3; the message is that of `api.md` 9.1. */
export class PolicyRequestError extends Error {
  override readonly name = "PolicyRequestError";
}

/**
 * Rules R1 to R4; PolicyRequestError names the first member that is missing, null or no object. Not with zod: this runs
 * for every vehicle request, needs only seven members, and none of it reaches the database.
 */
export function readPolicyTable(table: unknown): PolicyRequest {
  const members = requireObject(table, "policy_table");
  for (const name of requiredMembers) requireObject(ownMember(members, name), `policy_table.${name}`);
  const config = requireObject(ownMember(members, "module_config"), "policy_table.module_config");
  return { ...readSegment(table), isOlder: !Object.hasOwn(config, "full_app_id_supported") };
}

/** Requires only `app_policies` (`api.md` 9.3). Throws PolicyRequestError. */
export function readSegment(table: unknown): PolicyRequest {
  const members = requireObject(table, "policy_table");
  const requested = Object.entries(requireObject(ownMember(members, "app_policies"), "policy_table.app_policies"));
  const apps = requested.filter(([id]) => isAppId(id));
  if (apps.length > maxAppIds) {
    throw new PolicyRequestError(`policy_table.app_policies holds more than ${maxAppIds} app ids`);
  }
  const config = ownMember(members, "module_config");
  // Apps without an entry keep their policy, but with too many entries the head unit refuses the whole table.
  if (apps.length > maxEntries) apps.length = maxEntries;
  const fullAppIdSupported = isObject(config) && Boolean(ownMember(config, "full_app_id_supported"));
  return { apps, fullAppIdSupported, isOlder: false };
}

/** What an app's entry copies from the request, as JSON text to append to other members (rule A12); may be empty. */
export function copiedMembers(sent: unknown): string {
  if (!isObject(sent)) return "";
  const enabled = ownMember(sent, "enabled");
  const token = ownMember(sent, "auth_token");
  let text = typeof enabled === "boolean" ? `,"enabled":${enabled}` : "";
  // A lone surrogate would make a head unit refuse the whole table, and its database cuts texts at a NUL.
  if (typeof token === "string" && isWholeText(token) && Buffer.byteLength(token) <= longestToken) {
    text += `,"auth_token":${JSON.stringify(token)}`;
  }
  return text;
}

const fixedNames: ReadonlySet<string> = new Set(fixedEntryNames);

/** Every answer has the fixed entries. A lone surrogate in a key would make it unreadable, a NUL the last one. */
function isAppId(id: string): boolean {
  return !fixedNames.has(id) && isWholeText(id);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requireObject(value: unknown, name: string): object {
  if (!isObject(value))
    throw new PolicyRequestError(`${name} ${value === undefined ? "is missing" : "must be an object"}`);
  return value;
}

/** Own properties only: names inherited from the prototype were not sent. */
function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}
