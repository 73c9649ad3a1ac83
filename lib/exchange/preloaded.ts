import { type ExchangeDocument, exchangeFormat } from "@/lib/exchange/schema";
import { groupItem, type GroupItem } from "@/lib/records/groups/file";
import { messageItem } from "@/lib/records/messages/file";
import { moduleConfigItem, type ModuleConfigItem } from "@/lib/records/module-config/file";
import { vehicleDataItem } from "@/lib/records/vehicle-data/file";
import { isEmptyList, isObject, type JsonObject } from "@/lib/policy/head-unit/values";
import { tableLimit } from "@/lib/policy/table/vehicle-data";
import type { z } from "zod";
import { plural } from "@/lib/vocabulary/format-number";
import { snakeName } from "@/lib/vocabulary/members";
import { hmiLevels, limitNames, messageTextFields, storedEndpoints, vehicleDataRpcs } from "@/lib/vocabulary/terms";

/** A member of a table that is not imported. */
export interface LeftMember {
  /** E.g. `module_config.vehicle_make`. */
  readonly path: string;
  readonly reason: string;
  /** Head units do something else with the table as imported; otherwise the member means nothing to them or is computed. */
  readonly isLoss: boolean;
}
/** `leave`: without consequences for head units; `lose`: with some. */
interface Notes {
  readonly leave: (path: string, reason: string) => void;
  readonly lose: (path: string, reason: string) => void;
}

export interface KnownNames {
  /** All that messages may have. */
  readonly languages: ReadonlySet<string>;
  /** Vehicle data of the RPC specification; other items of a table are custom ones. */
  readonly vehicleData: ReadonlySet<string>;
}

type Member = readonly [name: string, value: unknown];
const membersOf = (value: unknown): Member[] => (isObject(value) ? Object.entries(value) : []);
const isText = (value: unknown): value is string => typeof value === "string";
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** Entries that this server builds from groups, and the flag of such groups. */
const grantingEntries = { default: "is_default", pre_DataConsent: "is_pre_data_consent", device: "is_device" } as const;
/** All other sections are reported. */
const sections = new Set([
  ...["module_config", "rpc_priority_table", "vehicle_data", "functional_groupings"],
  ...["consumer_friendly_messages", "app_policies"],
]);
const computed = "computed for every table";
const unknownMember = "head units ignore it";

/** `table` is the value of `policy_table`. What staging (`stored`) has and the table does not mention stays. */
export function fromPreloaded(
  table: unknown,
  stored: ExchangeDocument,
  known: KnownNames,
): { readonly document: ExchangeDocument; readonly left: readonly LeftMember[] } {
  const left: LeftMember[] = [];
  const notes: Notes = {
    leave: (path, reason) => left.push({ path, reason, isLoss: false }),
    lose: (path, reason) => left.push({ path, reason, isLoss: true }),
  };
  const read = isObject(table) ? table : {};
  for (const [name] of membersOf(read)) if (!sections.has(name)) notes.leave(name, "this section is not imported");
  const grants = readGrants(read["app_policies"], notes);
  const groups = membersOf(read["functional_groupings"]).flatMap(([name, value]) => {
    const before = stored.groups?.find((group) => group.name === name);
    return readGroup({ name, value, before }, grants, notes);
  });
  const messages = readMessages(read["consumer_friendly_messages"], stored, known, notes);
  const vehicleData = readVehicleData(read["vehicle_data"], known, notes);
  const config = readModuleConfig(read, stored.module_config, notes);
  const document: ExchangeDocument = {
    format: exchangeFormat,
    groups,
    messages,
    ...(vehicleData.length === 0 ? {} : { vehicle_data: [...vehicleData] }),
    ...(config === undefined ? {} : { module_config: config }),
  };
  return { document, left };
}

function readGrants(policies: unknown, { leave }: Notes): ReadonlyMap<string, ReadonlySet<string>> {
  const grants = new Map<string, ReadonlySet<string>>();
  for (const [id, policy] of membersOf(policies)) {
    const flag = Object.entries(grantingEntries).find(([entry]) => entry === id)?.[1];
    if (flag === undefined) {
      leave(`app_policies.${id}`, "apps come from the app directory");
      continue;
    }
    for (const [name, value] of membersOf(policy)) {
      if (name === "groups") grants.set(flag, new Set(textsOf(value)));
      else leave(`app_policies.${id}.${name}`, computed);
    }
  }
  return grants;
}

/** Keeps the description and the flags that no table contains. */
function readGroup(
  { name, value, before }: { name: string; value: unknown; before: GroupItem | undefined },
  grants: ReadonlyMap<string, ReadonlySet<string>>,
  notes: Notes,
): readonly GroupItem[] {
  const { leave, lose } = notes;
  const place = `functional_groupings.${name}`;
  const { rpcs, user_consent_prompt: prompt, encryption_required: encrypted, ...others } = isObject(value) ? value : {};
  for (const [other, own] of Object.entries(others)) {
    const note = isEmptyList(own) || !other.startsWith("disallowed_by_external_consent_entities_") ? leave : lose;
    note(`${place}.${other}`, note === lose ? "groups have no such member here" : unknownMember);
  }
  const flags = [...grants].map(([flag, names]) => [flag, names.has(name)]);
  const { user_consent_prompt: _, ...kept } = before ?? {};
  const found = groupItem.safeParse({
    ...kept,
    name,
    ...Object.fromEntries(flags),
    ...(prompt === undefined ? {} : { user_consent_prompt: prompt }),
    encryption_required: encrypted ?? false,
    rpcs: membersOf(rpcs).flatMap(([rpc, allowed]) => readRpc(rpc, allowed, `${place}.rpcs.${rpc}`, notes)),
  });
  if (found.success) return [found.data];
  lose(place, firstProblem(found.error));
  return [];
}

const restrictable = new Set<string>(vehicleDataRpcs);

function readRpc(name: string, value: unknown, place: string, { leave, lose }: Notes): readonly unknown[] {
  const { hmi_levels: given, parameters, ...others } = isObject(value) ? value : ({} as JsonObject);
  for (const other of Object.keys(others)) leave(`${place}.${other}`, unknownMember);
  const hmi_levels = textsOf(given).filter((level) => {
    const isKnown = hmiLevels.some((one) => one === level);
    if (!isKnown) lose(`${place}.hmi_levels`, `no head unit knows the level ${level}`);
    return isKnown;
  });
  if (hmi_levels.length === 0) {
    // Its parameters would count even so (rules C1 and C3 of head units).
    const note = isEmptyList(given) && parameters === undefined ? leave : lose;
    note(place, "allowed at no HMI level");
    return [];
  }
  const named = textsOf(parameters);
  if (restrictable.has(name)) {
    if (parameters === undefined) lose(`${place}.parameters`, "not given, which is all of them; here each is named");
    return [{ name, hmi_levels, ...(named.length > 0 ? { parameters: named } : {}) }];
  }
  if (parameters !== undefined) lose(`${place}.parameters`, "only vehicle data are restricted by parameter here");
  return [{ name, hmi_levels }];
}

/** Keeps texts in languages that the table does not have. */
function readMessages(section: unknown, stored: ExchangeDocument, { languages: known }: KnownNames, notes: Notes) {
  const { messages, ...others } = isObject(section) ? section : ({} as JsonObject);
  for (const other of Object.keys(others)) notes.leave(`consumer_friendly_messages.${other}`, computed);
  return membersOf(messages).flatMap(([category, message]) => {
    const place = `consumer_friendly_messages.messages.${category}`;
    const languages = membersOf(isObject(message) ? message["languages"] : undefined).flatMap(
      ([language, texts]): Member[] => {
        const here = `${place}.languages.${language}`;
        if (known.has(language)) return [[language, readTexts(texts, here, notes)]];
        notes.leave(here, "no language that head units know");
        return [];
      },
    );
    const before = stored.messages?.find((one) => one.message_category === category)?.languages;
    const merged = { ...before, ...Object.fromEntries<unknown>(languages) };
    const found = messageItem.safeParse({ message_category: category, languages: merged });
    if (found.success) return [found.data];
    notes.lose(place, firstProblem(found.error));
    return [];
  });
}

/** Tables have the names of stored texts, files those of the API. */
function readTexts(value: unknown, place: string, { leave, lose }: Notes): object {
  const texts = membersOf(value).flatMap(([name, text]): Member[] => {
    const field = messageTextFields.find((one) => one === name);
    if (field !== undefined && isText(text)) return [[snakeName(field), text]];
    if (field === undefined) leave(`${place}.${name}`, unknownMember);
    else lose(`${place}.${name}`, "no text");
    return [];
  });
  return Object.fromEntries<unknown>(texts);
}

const schemaItems = "vehicle_data.schema_items";

/** The custom items. Head units ignore those that are named like vehicle data of the RPC specification, and their keys. */
function readVehicleData(section: unknown, { vehicleData }: KnownNames, notes: Notes) {
  const { schema_items: items, ...others } = isObject(section) ? section : ({} as JsonObject);
  for (const other of Object.keys(others)) notes.leave(`vehicle_data.${other}`, computed);
  const named = (Array.isArray(items) ? items : []).map((item: unknown) => ({
    item,
    name: isObject(item) ? String(item["name"]) : "",
  }));
  const specified = named.filter(({ name }) => vehicleData.has(name)).length;
  if (specified > 0) {
    notes.leave(schemaItems, `head units ignore ${plural(specified, "item")} of the RPC specification, keys included`);
  }
  return named.flatMap(({ item, name }) => {
    if (vehicleData.has(name)) return [];
    const found = vehicleDataItem.safeParse(readItem(item, `${schemaItems}.${name}`, notes));
    if (found.success) return [found.data];
    notes.lose(`${schemaItems}.${name}`, firstProblem(found.error));
    return [];
  });
}

/** Like `limitNames`, under the names of tables. */
const limitOf = new Map(limitNames.map((name) => [tableLimit(name), snakeName(name)]));
const sameInTables: ReadonlySet<string> = new Set(["name", "key", "type", "mandatory", "array"]);

function readItem(value: unknown, place: string, notes: Notes): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): Member[] => {
    const limit = limitOf.get(name);
    if (limit !== undefined) return [[limit, member]];
    if (sameInTables.has(name)) return [[name, member]];
    if (name === "params" && Array.isArray(member)) {
      const nameOf = (one: unknown) => (isObject(one) ? String(one["name"]) : "");
      return [[name, member.map((one: unknown) => readItem(one, `${place}.${nameOf(one)}`, notes))]];
    }
    notes.lose(`${place}.${name}`, "vehicle data has no such member here");
    return [];
  });
  return Object.fromEntries<unknown>(members);
}

const configReasons: Readonly<Record<string, string>> = {
  preloaded_pt: "only in tables that are built into head units",
  preloaded_date: "only in tables that are built into head units",
  full_app_id_supported: "taken from each request",
};
const noSuchMember = "the module config has no such member here";
/** Reasons for members that head units read and this server does not send. */
const configLosses: Readonly<Record<string, string>> = {
  certificate: "files do not contain certificate and key",
  ...{ vehicle_make: noSuchMember, vehicle_model: noSuchMember, vehicle_year: noSuchMember },
};

/** Undefined if neither the table nor staging has a complete one. */
function readModuleConfig(
  { module_config: section, rpc_priority_table: priorities }: JsonObject,
  stored: ModuleConfigItem | undefined,
  notes: Notes,
): ModuleConfigItem | undefined {
  const { leave, lose } = notes;
  if (!isObject(section) && priorities === undefined) return undefined;
  const taken: Record<string, unknown> = { ...stored };
  for (const [name, value] of membersOf(section)) {
    const place = `module_config.${name}`;
    const merged = readConfigMember(name, value, stored, notes);
    const found = isConfigMember(name) ? moduleConfigItem.shape[name].safeParse(merged) : undefined;
    const loss = value === "" ? undefined : configLosses[name];
    if (loss !== undefined) lose(place, loss);
    else if (found === undefined) leave(place, configReasons[name] ?? unknownMember);
    else if (found.success) taken[name] = found.data;
    else lose(place, firstProblem(found.error));
  }
  if (priorities !== undefined) {
    const found = moduleConfigItem.shape.rpc_priority_table.safeParse(priorities);
    if (found.success) taken[priorityTable] = found.data;
    else leave(priorityTable, firstProblem(found.error));
  }
  const whole = moduleConfigItem.safeParse(taken);
  if (whole.success) return whole.data;
  lose("module_config", firstProblem(whole.error));
  return undefined;
}

/** A section of its own in tables. */
const priorityTable = "rpc_priority_table";
const isConfigMember = (name: string): name is Exclude<keyof ModuleConfigItem, typeof priorityTable> =>
  name !== priorityTable && Object.hasOwn(moduleConfigItem.shape, name);

/** Maps keep what they do not mention. */
function readConfigMember(name: string, value: unknown, stored: ModuleConfigItem | undefined, notes: Notes): unknown {
  switch (name) {
    case "endpoints":
      return { ...stored?.endpoints, ...readEndpoints(value, notes) };
    case "endpoint_properties":
      return readProperties(value, notes);
    case "notifications_per_minute_by_priority":
    case "subtle_notifications_per_minute_by_priority":
      return isObject(value) ? { ...stored?.[name], ...value } : value;
    default:
      return value;
  }
}

const isStored = (name: string) => storedEndpoints.some((known) => known === name);

function readEndpoints(value: unknown, { leave, lose }: Notes): Readonly<Record<string, string>> {
  const taken = membersOf(value).flatMap(([service, lists]): [string, string][] => {
    const place = `module_config.endpoints["${service}"]`;
    if (service === "0x07") {
      leave(place, "the address of the server itself");
      return [];
    }
    if (!isStored(service)) {
      lose(place, "this server does not store this endpoint");
      return [];
    }
    const { default: common, ...others } = isObject(lists) ? lists : ({} as JsonObject);
    for (const other of Object.keys(others)) lose(`${place}.${other}`, "addresses are for all apps here");
    const [first, ...more] = textsOf(common);
    if (more.length > 0) lose(`${place}.default[1]`, "an endpoint has one address here");
    return first === undefined ? [] : [[service, first]];
  });
  return Object.fromEntries(taken);
}

function readProperties(value: unknown, { lose }: Notes): readonly unknown[] {
  return membersOf(value).flatMap(([endpoint, properties]) =>
    membersOf(properties).flatMap(([name, text]) => {
      if (isStored(endpoint) && isText(text)) return [{ endpoint, name, value: text }];
      lose(`module_config.endpoint_properties["${endpoint}"].${name}`, "this server does not store this property");
      return [];
    }),
  );
}

function firstProblem({ issues: [issue] }: z.ZodError): string {
  return [issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
}

/**
 * Without the module certificate, whose key must not get into a file. `date` is like `2026-01-31`; null: none. The
 * regular build does not store it, so with a date it lays the file over this server's newer tables at every start
 * (`head-unit-rules.md` section 2).
 */
export function toPreloaded(table: JsonObject, date: string | null): JsonObject {
  const config = isObject(table["module_config"]) ? table["module_config"] : {};
  const { certificate: _, ...rest } = config;
  return { ...table, module_config: { preloaded_pt: true, ...(date !== null && { preloaded_date: date }), ...rest } };
}
