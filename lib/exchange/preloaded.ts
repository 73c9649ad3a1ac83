/** Converts policy tables that are built into head units to exchange documents and back (`exchange.md` X3). */
import { type ExchangeDocument, exchangeFormat } from "@/lib/exchange/schema";
import { groupItem, type GroupItem } from "@/lib/content/groups/file";
import { messageItem } from "@/lib/content/messages/file";
import { moduleConfigItem, type ModuleConfigItem } from "@/lib/content/module-config/file";
import { isObject, type JsonObject } from "@/lib/policy/head-unit/values";
import type { z } from "zod";
import { storedEndpoints, vehicleDataRpcs } from "@/lib/labels/vocabulary";

/** A member of a table that cannot be imported. */
export interface LeftMember {
  /** E.g. `module_config.vehicle_make`. */
  readonly path: string;
  readonly reason: string;
}
type Leave = (path: string, reason: string) => void;

const membersOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);
const isText = (value: unknown): value is string => typeof value === "string";
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** Entries that this server builds from groups, and the flag of such groups. */
const grantingEntries = { default: "is_default", pre_DataConsent: "is_pre_data_consent", device: "is_device" } as const;
/** Sections that are read; all others are reported. */
const sections = new Set(["module_config", "functional_groupings", "consumer_friendly_messages", "app_policies"]);

/**
 * Converts a head unit's preloaded table into a document to import into staging.
 *
 * @param table the value of `policy_table`
 * @param stored what staging contains; whatever the table does not mention stays
 * @param languages all languages that messages may have
 * @returns the document, and every member of the table that is not in it, with the reason
 */
export function fromPreloaded(
  table: unknown,
  stored: ExchangeDocument,
  languages: ReadonlySet<string>,
): { readonly document: ExchangeDocument; readonly left: readonly LeftMember[] } {
  const left: LeftMember[] = [];
  const leave: Leave = (path, reason) => left.push({ path, reason });
  const read = isObject(table) ? table : {};
  for (const [name] of membersOf(read)) if (!sections.has(name)) leave(name, "this section is not imported");
  const grants = readGrants(read["app_policies"], leave);
  const groups = membersOf(read["functional_groupings"]).flatMap(([name, value]) => {
    const before = stored.groups?.find((group) => group.name === name);
    return readGroup({ name, value, before }, grants, leave);
  });
  const messages = readMessages(read["consumer_friendly_messages"], stored, languages, leave);
  const config = readModuleConfig(read["module_config"], stored.module_config, leave);
  const document: ExchangeDocument = {
    format: exchangeFormat,
    groups,
    messages,
    ...(config === undefined ? {} : { module_config: config }),
  };
  return { document, left };
}

/** The names of the groups in each entry that is not an app. */
function readGrants(policies: unknown, leave: Leave): ReadonlyMap<string, ReadonlySet<string>> {
  const grants = new Map<string, ReadonlySet<string>>();
  for (const [id, policy] of membersOf(policies)) {
    const flag = Object.entries(grantingEntries).find(([entry]) => entry === id)?.[1];
    if (flag === undefined) {
      leave(`app_policies.${id}`, "apps come from the app directory");
      continue;
    }
    for (const [name, value] of membersOf(policy)) {
      if (name === "groups") grants.set(flag, new Set(textsOf(value)));
      else leave(`app_policies.${id}.${name}`, "computed for every table");
    }
  }
  return grants;
}

/** Keeps the description and the flags that no table contains. */
function readGroup(
  { name, value, before }: { name: string; value: unknown; before: GroupItem | undefined },
  grants: ReadonlyMap<string, ReadonlySet<string>>,
  leave: Leave,
): readonly GroupItem[] {
  const place = `functional_groupings.${name}`;
  const { rpcs, user_consent_prompt: prompt, encryption_required: encrypted, ...others } = isObject(value) ? value : {};
  for (const other of Object.keys(others)) leave(`${place}.${other}`, "groups have no such member here");
  const flags = [...grants].map(([flag, names]) => [flag, names.has(name)]);
  const { user_consent_prompt: _, ...kept } = before ?? {};
  const found = groupItem.safeParse({
    ...kept,
    name,
    ...Object.fromEntries(flags),
    ...(prompt === undefined ? {} : { user_consent_prompt: prompt }),
    encryption_required: encrypted ?? false,
    rpcs: membersOf(rpcs).flatMap(([rpc, allowed]) => readRpc(rpc, allowed, `${place}.rpcs.${rpc}`, leave)),
  });
  if (found.success) return [found.data];
  leave(place, firstProblem(found.error));
  return [];
}

const restrictable = new Set<string>(vehicleDataRpcs);

function readRpc(name: string, value: unknown, place: string, leave: Leave): readonly unknown[] {
  const { hmi_levels: levels, parameters, ...others } = isObject(value) ? value : ({} as JsonObject);
  for (const other of Object.keys(others)) leave(`${place}.${other}`, "RPCs have no such member here");
  if (!Array.isArray(levels) || levels.length === 0) {
    leave(place, "allowed at no HMI level");
    return [];
  }
  const named = textsOf(parameters);
  if (restrictable.has(name)) {
    if (parameters === undefined) leave(`${place}.parameters`, "not given, which is all of them; here each is named");
    return [{ name, hmi_levels: levels, ...(named.length > 0 ? { parameters: named } : {}) }];
  }
  if (parameters !== undefined) leave(`${place}.parameters`, "only vehicle data are restricted by parameter here");
  return [{ name, hmi_levels: levels }];
}

/** Keeps texts in languages that the table does not have. */
function readMessages(section: unknown, stored: ExchangeDocument, languages: ReadonlySet<string>, leave: Leave) {
  const { messages, ...others } = isObject(section) ? section : ({} as JsonObject);
  for (const other of Object.keys(others)) leave(`consumer_friendly_messages.${other}`, "computed for every table");
  return membersOf(messages).flatMap(([category, message]) => {
    const place = `consumer_friendly_messages.messages.${category}`;
    const texts = membersOf(isObject(message) ? message["languages"] : undefined).filter(([language]) => {
      const isKnown = languages.has(language);
      if (!isKnown) leave(`${place}.languages.${language}`, "no language that head units know");
      return isKnown;
    });
    const before = stored.messages?.find((one) => one.message_category === category)?.languages;
    const merged = { ...before, ...Object.fromEntries(texts) };
    const found = messageItem.safeParse({ message_category: category, languages: merged });
    if (found.success) return [found.data];
    leave(place, firstProblem(found.error));
    return [];
  });
}

/** Reasons for members that cannot be imported; any other member is unknown. */
const configReasons: Readonly<Record<string, string>> = {
  preloaded_pt: "only in tables that are built into head units",
  preloaded_date: "only in tables that are built into head units",
  full_app_id_supported: "taken from each request",
  certificate: "files do not contain certificate and key",
};

/** Undefined if neither the table nor staging has a complete one. */
function readModuleConfig(
  section: unknown,
  stored: ModuleConfigItem | undefined,
  leave: Leave,
): ModuleConfigItem | undefined {
  if (!isObject(section)) return undefined;
  const taken: Record<string, unknown> = { ...stored };
  for (const [name, value] of Object.entries(section)) {
    const place = `module_config.${name}`;
    const merged = readConfigMember(name, value, stored, leave);
    const found = isConfigMember(name) ? moduleConfigItem.shape[name].safeParse(merged) : undefined;
    if (found === undefined) leave(place, configReasons[name] ?? "the module config has no such member here");
    else if (found.success) taken[name] = found.data;
    else leave(place, firstProblem(found.error));
  }
  const whole = moduleConfigItem.safeParse(taken);
  if (whole.success) return whole.data;
  leave("module_config", firstProblem(whole.error));
  return undefined;
}

const isConfigMember = (name: string): name is keyof ModuleConfigItem => Object.hasOwn(moduleConfigItem.shape, name);

/** Converts a member to the form of documents; maps keep what they do not mention. */
function readConfigMember(name: string, value: unknown, stored: ModuleConfigItem | undefined, leave: Leave): unknown {
  switch (name) {
    case "endpoints":
      return { ...stored?.endpoints, ...readEndpoints(value, leave) };
    case "endpoint_properties":
      return readProperties(value, leave);
    case "notifications_per_minute_by_priority":
    case "subtle_notifications_per_minute_by_priority":
      return isObject(value) ? { ...stored?.[name], ...value } : value;
    default:
      return value;
  }
}

const isStored = (name: string) => storedEndpoints.some((known) => known === name);

function readEndpoints(value: unknown, leave: Leave): Readonly<Record<string, string>> {
  const taken = membersOf(value).flatMap(([service, lists]): [string, string][] => {
    const place = `module_config.endpoints["${service}"]`;
    const { default: common, ...others } = isObject(lists) ? lists : ({} as JsonObject);
    for (const other of Object.keys(others)) leave(`${place}.${other}`, "addresses are for all apps here");
    const [first, ...more] = textsOf(common);
    if (!isStored(service)) {
      leave(
        place,
        service === "0x07" ? "the address of the server itself" : "this server does not store this endpoint",
      );
      return [];
    }
    if (more.length > 0) leave(`${place}.default[1]`, "an endpoint has one address here");
    return first === undefined ? [] : [[service, first]];
  });
  return Object.fromEntries(taken);
}

function readProperties(value: unknown, leave: Leave): readonly unknown[] {
  return membersOf(value).flatMap(([endpoint, properties]) =>
    membersOf(properties).flatMap(([name, text]) => {
      if (isStored(endpoint) && isText(text)) return [{ endpoint, name, value: text }];
      leave(`module_config.endpoint_properties["${endpoint}"].${name}`, "this server does not store this property");
      return [];
    }),
  );
}

function firstProblem({ issues: [issue] }: z.ZodError): string {
  return [issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
}

/**
 * Turns a table of this server into one to build into head units: marked as preloaded and without the module certificate,
 * whose key must not get into a file.
 *
 * @param table the value of `policy_table`
 * @param date the date of creation, as `2026-01-31`; null: none. The regular build does not store it, so with a date it lays
 *   the file over the newer tables of this server at every start (`head-unit-rules.md` section 2)
 */
export function toPreloaded(table: JsonObject, date: string | null): JsonObject {
  const config = isObject(table["module_config"]) ? table["module_config"] : {};
  const { certificate: _, ...rest } = config;
  return { ...table, module_config: { preloaded_pt: true, ...(date !== null && { preloaded_date: date }), ...rest } };
}
