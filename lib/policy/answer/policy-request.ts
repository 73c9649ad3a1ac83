import { errorNamed } from "@/lib/platform/errors";
import { isWholeText } from "@/lib/labels/whole-text";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";

/** The longest token that a head unit accepts, in bytes (rule A12). */
const longestToken = 65_535;
/** The entries that a head unit accepts in one table, `device` aside, and the ids that a request may name (rule R3). */
export const maxAppIds = 1_000;
/** How many entries are left for requested ids, besides `default` and `pre_DataConsent`. */
const maxEntries = maxAppIds - 2;

/** Members whose presence is checked, in the order of checking (rule R1). */
export const requiredMembers = [
  "app_policies",
  "consumer_friendly_messages",
  "device_data",
  "functional_groupings",
  "module_config",
  "usage_and_error_counts",
] as const;

/** A shortened table as far as an answer depends on it. */
export interface PolicyRequest {
  /** Requested app ids that get an entry, in order, with the value sent for each (rule R3). */
  readonly apps: readonly (readonly [id: string, sent: unknown])[];
  readonly fullAppIdSupported: boolean;
  /** Whether its head unit is older than Core 5.0, which refuses what it does not know (rule R8). */
  readonly isOlder: boolean;
}

/** A request that breaks rule R1 or R3; the message is the sentence of `api.md` 9.1. */
export class PolicyRequestError extends Error {
  override readonly name = "PolicyRequestError";
}
export const isPolicyRequestError = errorNamed<PolicyRequestError>("PolicyRequestError");

/**
 * Reads a shortened policy table (rules R1 to R4).
 *
 * Checked by hand, not with zod: this runs for every vehicle request, looks at seven members and ignores all others, and
 * nothing of it reaches the database.
 *
 * @param table the value of `policy_table`, decrypted if need be
 * @throws PolicyRequestError naming the first member that is missing, null or no object
 */
export function readPolicyTable(table: unknown): PolicyRequest {
  const members = requireObject(table, "policy_table");
  for (const name of requiredMembers) requireObject(ownMember(members, name), `policy_table.${name}`);
  const config = requireObject(ownMember(members, "module_config"), "policy_table.module_config");
  return { ...readSegment(table), isOlder: !Object.hasOwn(config, "full_app_id_supported") };
}

/**
 * Reads the part of a table that an app segment needs (`api.md` 9.3): only `app_policies` is required.
 *
 * @throws PolicyRequestError
 */
export function readSegment(table: unknown): PolicyRequest {
  const members = requireObject(table, "policy_table");
  const requested = Object.entries(requireObject(ownMember(members, "app_policies"), "policy_table.app_policies"));
  const apps = requested.filter(([id]) => isAppId(id));
  if (apps.length > maxAppIds) {
    throw new PolicyRequestError(`policy_table.app_policies holds more than ${maxAppIds} app ids`);
  }
  const config = ownMember(members, "module_config");
  // Apps without an entry keep their policy; with one entry too many, the head unit refuses the whole table.
  if (apps.length > maxEntries) apps.length = maxEntries;
  const fullAppIdSupported = isObject(config) && Boolean(ownMember(config, "full_app_id_supported"));
  return { apps, fullAppIdSupported, isOlder: false };
}

/**
 * The members that an app's entry copies from the request, as JSON text that follows other members (rule A12); empty
 * when nothing usable was sent.
 */
export function copiedMembers(sent: unknown): string {
  if (!isObject(sent)) return "";
  const enabled = ownMember(sent, "enabled");
  const token = ownMember(sent, "auth_token");
  let text = typeof enabled === "boolean" ? `,"enabled":${enabled}` : "";
  // Half a surrogate pair would make a head unit refuse the whole table, and its database cuts at a NUL (rule C10).
  if (typeof token === "string" && isWholeText(token) && Buffer.byteLength(token) <= longestToken) {
    text += `,"auth_token":${JSON.stringify(token)}`;
  }
  return text;
}

const fixedNames: ReadonlySet<string> = new Set(fixedEntryNames);

/** Every answer has the fixed entries; half a surrogate pair in a key would make it unreadable, a NUL the last one. */
function isAppId(id: string): boolean {
  return !fixedNames.has(id) && isWholeText(id);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requireObject(value: unknown, name: string): object {
  if (!isObject(value)) throw new PolicyRequestError(`${name} is missing`);
  return value;
}

/** Own properties only: a name inherited from the prototype was never sent. */
function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}
