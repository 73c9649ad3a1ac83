/** Versioned records of sdl_server as those of this server (`exchange.md` X7). Ids, states and times stay. */
import { groupBy, type Report, type SdlData, type SdlRow } from "@/lib/exchange/migration/tables";
import { buildContent, isTreeRefusal, readTree, type VehicleDataNode } from "@/lib/content/vehicle-data/rules";
import { greatestNameBytes, greatestWordLength, maxParameters } from "@/lib/content/groups/schema";
import { greatestCategoryBytes, greatestTextBytes } from "@/lib/content/messages/schema";
import { longestCertificateBytes } from "@/lib/content/module-config/rules";
import { countLimits, fewestUrlBytes, longestVersionBytes, maxRetries } from "@/lib/content/module-config/schema";
import { camelFlags } from "@/lib/exchange/migration/flags";
import { findExcess, shortenNames, viewsOfRows } from "@/lib/exchange/migration/limits";
import { maxMessages } from "@/lib/policy/head-unit/consumer-messages";
import { cutText } from "@/lib/policy/head-unit/entry-limits";
import { maxGroups } from "@/lib/policy/head-unit/functional-groupings";
import { knownParameters } from "@/lib/policy/vocabulary/core-versions";
import { ownPaths } from "@/lib/policy/table/own-endpoints";
import { byteLength } from "@/lib/labels/byte-length";
import { recordOf } from "@/lib/labels/members";
import { byCodeUnit } from "@/lib/labels/order";
import {
  defaultRetries,
  type Environment,
  hmiLevels,
  messageTextFields,
  type StoredEndpoint,
  storedEndpoints,
} from "@/lib/labels/vocabulary";

type Stamps = Pick<SdlRow<"message_group">, "id" | "status" | "created_ts" | "updated_ts">;
const stampsOf = ({ id: _id, status, created_ts: createdAt, updated_ts: updatedAt }: Stamps) => ({
  _id,
  status,
  createdAt,
  updatedAt,
});

/** What head units take as a name of an RPC or parameter. */
const isWord = (word: string) => word !== "" && Array.from(word).length <= greatestWordLength && word.isWellFormed();

const inOrder = <Row extends { readonly id: number }>(rows: readonly Row[]) => rows.toSorted((a, b) => a.id - b.id);

/** Gives the name under which a functional group is carried over. */
export function nameGroups({ function_group_info: rows }: Pick<SdlData, "function_group_info">) {
  return shortenNames(
    inOrder(rows).map(({ property_name }) => property_name),
    greatestNameBytes,
  );
}

/** The same for messages, which groups name as their prompts. */
function nameMessages({ message_group, function_group_info }: SdlData) {
  const categories = inOrder(message_group).map(({ message_category }) => message_category);
  const prompts = inOrder(function_group_info).map(({ user_consent_prompt }) => user_consent_prompt ?? "");
  return shortenNames([...categories, ...prompts], greatestCategoryBytes);
}

/** Without a name nothing can be done with a record, and nobody here knows which one it was to have. */
function requireName(name: string, table: string, { id }: { readonly id: number }): void {
  if (name !== "") return;
  throw new Error(`The row with id ${id} of ${table} has no name: name it on the other server, or delete it there`);
}

type GroupRow = SdlRow<"function_group_info">;

/** Names of the groups that no table has room for. */
function findExcessGroups(data: SdlData, nameOf: (name: string) => string): ReadonlySet<string> {
  const messages = viewsOfRows(data.message_group, ({ message_category }) => message_category);
  const isAsked = (prompt: string, environment: Environment) => messages[environment].get(prompt)?.is_deleted === false;
  return findExcess<GroupRow>(data.function_group_info, maxGroups, {
    keyOf: ({ property_name }) => nameOf(property_name),
    // Without its question a group is in no table (`policy-table.md` F3).
    isShown: ({ user_consent_prompt: prompt }, environment) => !prompt || isAsked(prompt, environment),
    isFirst: (row) => row.is_default || row.is_pre_data_consent || row.is_device,
  });
}

/**
 * Functional groups with RPCs, levels and parameters.
 *
 * @throws Error with a sentence for a group without a name
 */
export function convertGroups(data: SdlData, report: Report) {
  const nameOf = nameGroups(data);
  const messageOf = nameMessages(data);
  const excess = findExcessGroups(data, nameOf);
  const custom = new Set(data.custom_vehicle_data.flatMap((row) => (row.parent_id === null ? row.name : [])));
  const levelsOf = groupBy(data.function_group_hmi_levels, (row) => row.function_group_id);
  const parametersOf = groupBy(data.function_group_parameters, (row) => row.function_group_id);
  return data.function_group_info.flatMap((row) => {
    requireName(row.property_name, "function_group_info", row);
    const name = nameOf(row.property_name);
    const what = `group ${row.property_name} (record ${row.id})`;
    const lose = (reason: string, at?: string) =>
      report({ table: "function_group_info", what, reason, ...(at !== undefined && { at }) });
    if (excess.has(name)) {
      lose(`left out: head units take at most ${maxGroups} groups, and it is one of the last that were added`);
      return [];
    }
    if (name !== row.property_name) {
      const reason = `head units take names of at most ${greatestNameBytes} bytes: now ${name}`;
      report({ table: "function_group_info", what, reason, now: `group ${name}` });
    }
    const prompt = row.user_consent_prompt ?? "";
    if (messageOf(prompt) !== prompt) {
      lose(
        `head units take prompts of at most ${greatestCategoryBytes} bytes: now ${messageOf(prompt)}`,
        "user_consent_prompt",
      );
    }
    const rpcs = new Map<string, { levels: Set<string>; parameters: Set<string> }>();
    for (const { permission_name: word, hmi_level: level } of levelsOf(row.id)) {
      if (!isWord(word) || !hmiLevels.some((one) => one === level)) {
        const reason = `head units refuse ${word} at ${level}`;
        report({ table: "function_group_hmi_levels", what, reason, at: `rpcs.${word}` });
        continue;
      }
      const rpc = rpcs.get(word) ?? { levels: new Set(), parameters: new Set() };
      rpc.levels.add(level);
      rpcs.set(word, rpc);
    }
    for (const { rpc_name: word, parameter } of parametersOf(row.id)) {
      const rpc = rpcs.get(word);
      const reason = rpc === undefined ? `${word} has no HMI level, so no table holds its parameters` : null;
      const refusal = isWord(parameter) ? reason : `head units refuse the parameter ${parameter} of ${word}`;
      const isUnused = rpc === undefined && ({ isUnused: true } as const);
      if (refusal === null) rpc?.parameters.add(parameter);
      else
        report({
          table: "function_group_parameters",
          what,
          reason: refusal,
          at: `rpcs.${word}.parameters`,
          ...isUnused,
        });
    }
    const limited = (rpc: string, parameters: ReadonlySet<string>) => {
      // Head units drop those that they do not know before they count.
      const known = [...parameters].sort(byCodeUnit).filter((one) => knownParameters.has(one) || custom.has(one));
      const over = new Set(known.slice(maxParameters));
      if (over.size > 0) {
        const reason = `head units take at most ${maxParameters} parameters of ${rpc}: left out ${[...over].join(", ")}`;
        report({ table: "function_group_parameters", what, reason, at: `rpcs.${rpc}.parameters` });
      }
      return [...parameters].filter((one) => !over.has(one)).sort(byCodeUnit);
    };
    const group = {
      ...stampsOf(row),
      name,
      isDeleted: row.is_deleted,
      description: row.description,
      userConsentPrompt: prompt === "" ? null : messageOf(prompt),
      ...camelFlags(row),
      rpcs: Array.from(rpcs, ([rpc, { levels, parameters }]) => ({
        name: rpc,
        levels: hmiLevels.filter((level) => levels.has(level)),
        parameters: limited(rpc, parameters),
      })).sort((a, b) => byCodeUnit(a.name, b.name)),
    };
    return [group];
  });
}

/** Categories of the messages that no table has room for. */
function findExcessMessages(data: SdlData, nameOf: (name: string) => string): ReadonlySet<string> {
  const english = new Set(
    data.message_text.flatMap(({ language_id, message_group_id: id }) =>
      language_id?.trim().toLowerCase() === "en-us" ? id : [],
    ),
  );
  const prompts = new Set(data.function_group_info.map(({ user_consent_prompt }) => user_consent_prompt));
  return findExcess<SdlRow<"message_group">>(data.message_group, maxMessages, {
    keyOf: ({ message_category }) => nameOf(message_category),
    isShown: ({ id }) => english.has(id),
    isFirst: ({ message_category }) => prompts.has(message_category),
  });
}

/**
 * Consumer messages with their texts.
 *
 * @param languages codes that head units know
 * @throws Error with a sentence for a message without a category
 */
export function convertMessages(data: SdlData, languages: ReadonlySet<string>, report: Report) {
  const textsOf = groupBy(data.message_text, (row) => row.message_group_id);
  const nameOf = nameMessages(data);
  const excess = findExcessMessages(data, nameOf);
  const limited = (
    texts: Readonly<Record<(typeof messageTextFields)[number], string | null>>,
    what: string,
    at: string,
  ) =>
    recordOf(messageTextFields, (field) => {
      const text = texts[field];
      if (text === null || byteLength(text) <= greatestTextBytes) return text;
      const reason = `head units take texts of at most ${greatestTextBytes} bytes: ${field} is cut`;
      report({ table: "message_text", what, reason, at: `${at}.${field}` });
      return cutText(text, greatestTextBytes);
    });
  return data.message_group.flatMap((row) => {
    requireName(row.message_category, "message_group", row);
    const category = nameOf(row.message_category);
    const what = `message ${row.message_category} (record ${row.id})`;
    if (excess.has(category)) {
      const reason = `left out: head units take at most ${maxMessages} messages, and it is one of the last that were added`;
      report({ table: "message_group", what, reason });
      return [];
    }
    if (category !== row.message_category) {
      const reason = `head units take prompts of at most ${greatestCategoryBytes} bytes: now ${category}`;
      report({ table: "message_group", what, reason, now: `message ${category}` });
    }
    const seen = new Set<string>();
    const texts = textsOf(row.id).flatMap(({ id, language_id, tts, line1, line2, text_body: textBody, label }) => {
      const languageId = language_id?.trim().toLowerCase() ?? "";
      const reason = !languages.has(languageId)
        ? `no head unit knows the language ${languageId || "without a code"}`
        : seen.has(languageId)
          ? `the language ${languageId} is there twice`
          : null;
      seen.add(languageId);
      const at = `languages.${languageId}`;
      if (reason === null) return [{ id, languageId, ...limited({ tts, line1, line2, textBody, label }, what, at) }];
      report({ table: "message_text", what, reason, at, isUnused: !languages.has(languageId) });
      return [];
    });
    return [{ ...stampsOf(row), category, isDeleted: row.is_deleted, languages: texts }];
  });
}

/** Custom vehicle data: one record for each root, with all that hangs from it. */
export function convertVehicleData(data: SdlData, report: Report) {
  const rows = data.custom_vehicle_data;
  const childrenOf = groupBy(rows, ({ parent_id }) => parent_id ?? 0);
  return rows
    .filter(({ parent_id }) => parent_id === null)
    .flatMap((root) => {
      const what = `vehicle data ${root.name} (record ${root.id})`;
      const ids = new Map<string, number>();
      const tree = (row: SdlRow<"custom_vehicle_data">, path: string): Record<string, unknown> => {
        ids.set(path, row.id);
        const newest = new Map<string, SdlRow<"custom_vehicle_data">>();
        for (const child of childrenOf(row.id)) {
          if ((newest.get(child.name)?.id ?? 0) < child.id) newest.set(child.name, child);
        }
        const params = [...newest.values()].filter(({ is_deleted }) => !is_deleted);
        const { name, type, key, mandatory, array, min_length, max_length, min_size, max_size, min_value, max_value } =
          row;
        return {
          ...{ name, type, key, mandatory, array, min_length, max_length, min_size, max_size, min_value, max_value },
          ...(params.length > 0 && { params: params.map((child) => tree(child, `${path}\0${child.name}`)) }),
        };
      };
      try {
        const content = buildContent(readTree({ ...tree(root, root.name), is_deleted: root.is_deleted }));
        return [{ ...stampsOf(root), ...content, nodes: keepIds(content.nodes, ids) }];
      } catch (error) {
        if (!isTreeRefusal(error)) throw error;
        report({ table: "custom_vehicle_data", what, reason: error.message });
        return [];
      }
    });
}

/** The nodes under the ids that they had. */
function keepIds(nodes: readonly VehicleDataNode[], ids: ReadonlyMap<string, number>): VehicleDataNode[] {
  const paths = new Map<number, string>();
  for (const { id, parentId, name } of nodes) {
    paths.set(id, parentId === null ? name : `${paths.get(parentId) ?? ""}\0${name}`);
  }
  const idOf = (id: number) => ids.get(paths.get(id) ?? "") ?? 0;
  return nodes.map((node) => ({
    ...node,
    id: idOf(node.id),
    parentId: node.parentId === null ? null : idOf(node.parentId),
  }));
}

const priorities = ["EMERGENCY", "NAVIGATION", "PROJECTION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"];

/** Tells what a module config loses, and where in it. */
type Lose = (reason: string, at: string) => void;

interface Limits {
  readonly min: number;
  readonly max: number;
}

function clamp(value: number, { min, max }: Limits, lose: Lose, at: string): number {
  const taken = Math.min(max, Math.max(min, value));
  if (taken !== value) lose(`head units take ${min} to ${max}: ${taken} instead of ${value}`, at);
  return taken;
}

/**
 * Module configs with certificate and key.
 *
 * @param seal the form in which a private key is stored
 */
export function convertModuleConfigs(data: SdlData, seal: (key: string | null) => string | null, report: Report) {
  const retriesOf = groupBy(data.module_config_retry_seconds, ({ id }) => id);
  const propertiesOf = groupBy(data.module_config_endpoint_property, (row) => row.module_config_id);
  return data.module_config.map((row) => {
    const what = `module config ${row.id}`;
    const lose: Lose = (reason, at) => report({ table: "module_config", what, reason, at });
    const count = (name: Exclude<keyof typeof countLimits, "seconds_between_retries" | "notifications">) =>
      clamp(row[name], countLimits[name], lose, name);
    const countsOf = (prefix: string) =>
      Object.fromEntries(
        priorities.map((name) => [
          name,
          clamp(
            Number(row[`${prefix}${name.toLowerCase()}_notifications`] ?? 0),
            countLimits.notifications,
            lose,
            `${prefix}notifications_per_minute_by_priority.${name}`,
          ),
        ]),
      );
    const { private_key, certificate } = limitCertificate(row, lose);
    return {
      ...stampsOf(row),
      exchangeAfterXIgnitionCycles: count("exchange_after_x_ignition_cycles"),
      exchangeAfterXKilometers: count("exchange_after_x_kilometers"),
      exchangeAfterXDays: count("exchange_after_x_days"),
      timeoutAfterXSeconds: count("timeout_after_x_seconds"),
      secondsBetweenRetries: convertRetries(retriesOf(row.id), what, report),
      lockScreenDismissalEnabled: row.lock_screen_dismissal_enabled,
      ...convertEndpoints(row, lose),
      endpointProperties: convertProperties(propertiesOf(row.id), what, report),
      notificationsPerMinute: countsOf(""),
      subtleNotificationsPerMinute: countsOf("subtle_"),
      certificate,
      privateKey: seal(private_key),
      expirationTs: certificate === null ? null : row.expiration_ts,
    };
  });
}

function convertRetries(rows: readonly SdlRow<"module_config_retry_seconds">[], what: string, report: Report) {
  const at = "seconds_between_retries";
  const lose: Lose = (reason) => report({ table: "module_config_retry_seconds", what, reason, at });
  const seconds = rows.toSorted((a, b) => a.order - b.order).map((row) => row.seconds);
  if (seconds.length === 0) {
    lose(`none, and some cars would never ask again: ${defaultRetries.join(", ")} instead`, at);
    return [...defaultRetries];
  }
  if (seconds.length > maxRetries) {
    lose(`head units take at most ${maxRetries}: left out ${seconds.slice(maxRetries).join(", ")}`, at);
  }
  return seconds.slice(0, maxRetries).map((value) => clamp(value, countLimits[at], lose, at));
}

function convertProperties(rows: readonly SdlRow<"module_config_endpoint_property">[], what: string, report: Report) {
  return rows.flatMap(({ endpoint_name, property_name: name, property_value: value }) => {
    const at = `endpoint_properties.${endpoint_name}`;
    const lose: Lose = (reason, where) => report({ table: "module_config_endpoint_property", what, reason, at: where });
    const endpoint = storedEndpoints.find((one) => one === endpoint_name);
    if (endpoint === undefined || name === "") {
      if (endpoint === undefined) lose(`there is no endpoint ${endpoint_name}`, at);
      else lose("the property has no name", `${at}.`);
      return [];
    }
    if (name !== "version" || byteLength(value) <= longestVersionBytes) return [{ endpoint, name, value }];
    lose(`head units take a version of at most ${longestVersionBytes} bytes: it is cut`, `${at}.version`);
    return [{ endpoint, name, value: cutText(value, longestVersionBytes) }];
  });
}

/** An address that head units refuse gives way to this server's own, and follows its settings. */
function convertEndpoints(row: SdlRow<"module_config">, lose: Lose) {
  const given: Readonly<Record<StoredEndpoint, string>> = {
    "0x04": row.endpoint_0x04,
    queryAppsUrl: row.query_apps_url,
    lock_screen_icon_url: row.lock_screen_default_url,
    custom_vehicle_data_mapping_url: row.custom_vehicle_data_mapping_url,
  };
  // Whatever the others are, somebody else has chosen them.
  const ownEndpoints: StoredEndpoint[] = [];
  const tooShort = `head units take addresses of at least ${fewestUrlBytes} bytes`;
  const endpoints = recordOf(storedEndpoints, (name) => {
    const path = ownPaths[name];
    if (byteLength(given[name]) >= fewestUrlBytes) return given[name];
    if (path !== undefined) {
      ownEndpoints.push(name);
      lose(`${tooShort}: this server's own instead`, `endpoints.${name}.default`);
      return path;
    }
    // A table can do without this one, and its properties go with it (`policy-table.md` M5, M6).
    if (given[name] !== "") {
      lose(`${tooShort}: left out`, `endpoints.${name}`);
      lose(`${tooShort}: left out with its properties`, `endpoint_properties.${name}`);
    }
    return "";
  });
  return { endpoints, ownEndpoints };
}

/** Vehicles get both as one text. */
function limitCertificate({ certificate, private_key }: SdlRow<"module_config">, lose: Lose) {
  if (byteLength(`${certificate ?? ""}\n${private_key ?? ""}`) <= longestCertificateBytes)
    return { certificate, private_key };
  lose(`left out: head units take at most ${longestCertificateBytes} bytes of certificate and key`, "certificate");
  return { certificate: null, private_key: null };
}
