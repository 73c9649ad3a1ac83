/** Input of the module config routes (`api.md` 13). Safe in the browser. The error texts are those of table 13.3. */
import { z } from "zod";
import { queryEnvironment, queryInteger, taking } from "@/lib/platform/zod/query";
import { Refusal, refusing } from "@/lib/platform/zod/refusing";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { notificationPriorities, refreshCounts, storedEndpoints, type StoredEndpoint } from "@/lib/vocabulary/terms";
import {
  isRpcName,
  type PriorityMap,
  priorityMapNames,
  priorityMaps,
  rpcPriorityLimits,
} from "@/lib/vocabulary/rpc-priorities";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { byCodeUnit } from "@/lib/vocabulary/order";
import { whyUnfitName } from "@/lib/vocabulary/whole-text";
import { anyFlag, baseIdMember } from "@/lib/records/store/query";

/** Minimum and maximum that head units accept for each number. */
export const countLimits = {
  exchange_after_x_ignition_cycles: { min: 0, max: 255 },
  exchange_after_x_kilometers: { min: 0, max: 2_147_483_647 },
  exchange_after_x_days: { min: 0, max: 255 },
  timeout_after_x_seconds: { min: 0, max: 65_535 },
  seconds_between_retries: { min: 1, max: 1000 },
  notifications: { min: 0, max: 255 },
} as const;
export const maxRetries = 5;
const maxProperties = 255;
export const longestVersionBytes = 100;
export const fewestUrlBytes = 10;

export const moduleConfigQuery = z.object({
  id: queryInteger(),
  environment: queryEnvironment("production"),
});

/** Accepts a JSON integer or a text of digits; an empty text is 0, because form inputs send it. Null otherwise. */
function readCount(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value + 0 : null;
  return typeof value === "string" && /^\d*$/.test(value) ? Number(value) : null;
}

/** A member that `read` parses or refuses with an error message; `form` describes it in the API document. */
function member<T>(form: z.ZodType, read: (value: unknown) => T) {
  return taking(refusing(z.unknown().optional(), read), form);
}

interface Limits {
  readonly min: number;
  readonly max: number;
}

function count(name: string, limits: Limits) {
  return member(countForm(limits), (value) => requireCount(value, name, limits));
}

function countForm({ min, max }: Limits) {
  return z.union([z.int().min(min).max(max), z.string().regex(/^\d*$/)]);
}

function requireCount(value: unknown, name: string, { min, max }: Limits): number {
  const number = readCount(value);
  if (number !== null && number >= min && number <= max) return number;
  throw new Refusal(`${name} must be an integer from ${min} to ${max}`);
}

const retryLimits = countLimits.seconds_between_retries;
const retries = member(z.array(countForm(retryLimits)).min(1).max(maxRetries), (value) => {
  const name = "seconds_between_retries";
  if (!Array.isArray(value)) throw new Refusal(`${name} must be a list`);
  // Without a value, some head units would never request another policy.
  if (value.length === 0) throw new Refusal(`${name} must hold at least one value`);
  const seconds = value.map((element, index) => requireCount(element, `${name}[${index}]`, retryLimits));
  if (seconds.length > maxRetries) throw new Refusal(`${name} holds more than ${maxRetries} values`);
  return seconds;
});

/** Control characters, including NUL, and lone surrogates would not survive in a policy table. */
function isCleanText(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text);
}

function url(name: StoredEndpoint, isOptional = false) {
  const form = isOptional ? z.string().nullish() : z.string().min(fewestUrlBytes).max(255);
  return member(form, (value) => {
    if (isOptional && (value === undefined || value === null || value === "")) return "";
    if (typeof value === "string" && !isCleanText(value)) {
      throw new Refusal(`endpoints.${name} must not hold line breaks, control characters or half surrogate pairs`);
    }
    const length = typeof value === "string" ? byteLength(value) : 0;
    if (typeof value !== "string" || length < fewestUrlBytes || length > 255) {
      throw new Refusal(`endpoints.${name} must be a string of 10 to 255 bytes`);
    }
    if (!isWebAddress(value)) throw new Refusal(`endpoints.${name} must be an http or https address without blanks`);
    return value;
  });
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/\S+$/i.test(text);
}

const endpoints = z.object(
  {
    "0x04": url("0x04"),
    queryAppsUrl: url("queryAppsUrl"),
    lock_screen_icon_url: url("lock_screen_icon_url"),
    custom_vehicle_data_mapping_url: url("custom_vehicle_data_mapping_url", true),
  },
  "endpoints is missing",
);

/** A list, because names may contain dots and start with `$`, which MongoDB does not allow in member names. */
const property = z.union([z.string(), z.number(), z.boolean()]);
const propertiesForm = z.partialRecord(z.enum(storedEndpoints), z.record(z.string(), property).nullable()).nullish();
const endpointProperties = member(propertiesForm, (value) => {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw new Refusal("endpoint_properties must be an object");
  return storedEndpoints.flatMap((endpoint) => readProperties(endpoint, value[endpoint]));
});

function readProperties(endpoint: StoredEndpoint, value: unknown) {
  const path = `endpoint_properties.${endpoint}`;
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw new Refusal(`${path} must be an object`);
  const entries = Object.entries(value);
  if (entries.length > maxProperties) throw new Refusal(`${path} holds more than ${maxProperties} values`);
  return entries.map(([name, property]) => {
    if (name === "" || byteLength(name) > 255 || !isCleanText(name)) {
      throw new Refusal(`${path}: the name of a property must be a string of 1 to 255 bytes`);
    }
    const why = name === name.trim() ? whyUnfitName(name) : "must not begin or end with a blank";
    if (why !== null) throw new Refusal(`${path}: the name of a property ${why}`);
    const text = readProperty(`${path}.${name}`, property);
    if (name === "version" && byteLength(text) > longestVersionBytes) {
      throw new Refusal(`${path}.version must not be longer than ${longestVersionBytes} bytes`);
    }
    return { endpoint, name, value: text };
  });
}

function readProperty(path: string, value: unknown): string {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string" || !text.isWellFormed()) throw new Refusal(`${path} must be a string`);
  if (text.includes("\0")) throw new Refusal(`${path} holds a NUL`);
  return text;
}

function notifications(name: string) {
  const limits = countLimits.notifications;
  const counts = recordOf(notificationPriorities, (priority) => count(`${name}.${priority}`, limits));
  return z.object(counts, `${name} is missing`);
}

const prioritiesForm = z.record(z.string(), countForm(rpcPriorityLimits)).nullish();
const rpcPriorityTable = member(z.object(recordOf(priorityMapNames, () => prioritiesForm)).nullish(), (value) => {
  const path = "rpc_priority_table";
  const maps = requireMembers(value, path);
  requireKnown(Object.keys(maps), priorityMapNames, path);
  return priorityMapNames.flatMap((map) => readPriorities(map, maps[map], `${path}.${map}`));
});

function readPriorities(map: PriorityMap, value: unknown, path: string) {
  const members = requireMembers(value, path);
  const names = Object.keys(members);
  const known: readonly string[] | null = priorityMaps[map];
  if (names.length > maxProperties) throw new Refusal(`${path} holds more than ${maxProperties} values`);
  if (known === null && !names.every(isRpcName)) {
    throw new Refusal(`${path}: an RPC must be named like UI.Alert`);
  }
  if (known !== null) requireKnown(names, known, path);
  const sorted = known === null ? names.toSorted(byCodeUnit) : known.filter((name) => names.includes(name));
  return sorted.map((name) => {
    // Elsewhere an empty text is 0, which is the highest priority here.
    const value = members[name] === "" ? null : members[name];
    return { map, name, priority: requireCount(value, `${path}.${name}`, rpcPriorityLimits) };
  });
}

function requireMembers(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new Refusal(`${path} must be an object`);
  return value;
}

function requireKnown(names: readonly string[], known: readonly string[], path: string): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Refusal(`${path} has the unknown member ${unknown}`);
}

/** Members are in the order of checks in 13.3: the API returns the first issue. Rows 12 to 15 follow in `rules.ts`. */
export const moduleConfigBody = z.object({
  ...recordOf(refreshCounts.map(snakeName), (name) => count(name, countLimits[name])),
  seconds_between_retries: retries,
  endpoints,
  endpoint_properties: endpointProperties,
  notifications_per_minute_by_priority: notifications("notifications_per_minute_by_priority"),
  subtle_notifications_per_minute_by_priority: notifications("subtle_notifications_per_minute_by_priority"),
  rpc_priority_table: rpcPriorityTable,
  lock_screen_dismissal_enabled: anyFlag(),
  certificate: taking(z.unknown().optional(), z.string().nullish()),
  private_key: taking(z.unknown().optional(), z.string().nullish()),
  // The console saves other members without knowing the private key.
  keep_certificate: anyFlag().describe("Takes certificate and private key over from the newest record"),
  base_id: baseIdMember,
});
export type ModuleConfigInput = z.infer<typeof moduleConfigBody>;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
