import { from, type Rows, viewOf } from "./rows";

const isoTime = (time: string) => `${time}Z`;
const isShown = (row: any) => !row.is_deleted || row.status === "STAGING";

/** Answers about groups, messages, vehicle data and the module config; undefined for other paths. */
export function recordAnswers(rows: Rows, tellsKeys: boolean, path: string, query: URLSearchParams): unknown {
  const environment = query.get("environment") === "staging" ? "staging" : "production";
  const id = query.has("id") ? Number(query.get("id")) : null;
  switch (path) {
    case "/groups": {
      const all = from(rows, "function_group_info");
      const shown =
        id === null ? viewOf(all, "property_name", environment).filter(isShown) : all.filter((row) => row.id === id);
      return { groups: shown.map((row) => group(rows, row, environment, id !== null)) };
    }
    case "/messages": {
      const all = from(rows, "message_group");
      const shown =
        id === null ? viewOf(all, "message_category", environment).filter(isShown) : all.filter((row) => row.id === id);
      return { messages: shown.map((row) => message(rows, row, id !== null)) };
    }
    case "/vehicle-data": {
      const roots = from(rows, "custom_vehicle_data").filter(({ parent_id }) => parent_id === null);
      return {
        custom_vehicle_data: viewOf(roots, "name", environment)
          .filter(isShown)
          .map((row) => item(rows, row)),
      };
    }
    case "/module": {
      const all = from(rows, "module_config").map((row) => ({ ...row, key: "the only one" }));
      return { module_configs: viewOf(all, "key", environment).map((row) => moduleConfig(rows, row, tellsKeys)) };
    }
    default:
      return undefined;
  }
}

/** RPCs and parameters that are no permission of this server are not told, nor prompts without a message. */
function group(rows: Rows, row: any, environment: "staging" | "production", isDetail: boolean) {
  const levels = from(rows, "function_group_hmi_levels").filter((one) => one.function_group_id === row.id);
  const parameters = from(rows, "function_group_parameters").filter((one) => one.function_group_id === row.id);
  const messages = viewOf(from(rows, "message_group"), "message_category", environment).map(
    (one) => one.message_category,
  );
  const roots = from(rows, "custom_vehicle_data").filter(({ parent_id }) => parent_id === null);
  const custom: string[] = viewOf(roots, "name", environment).map(({ name }) => name);
  const { created_ts: _created, updated_ts: _updated, property_name, ...members } = row;
  const keysOf = (rpc: string) => [
    ...from(rows, "permission_relations")
      .filter((one) => one.parent_permission_name === rpc)
      .map((one) => one.child_permission_name),
    ...(rpc.endsWith("VehicleData") ? custom : []),
  ];
  const rpcs = from(rows, "permissions")
    .filter(({ type }) => type === "RPC")
    .map(({ name }) => ({
      name,
      hmi_levels: ["FULL", "LIMITED", "BACKGROUND", "NONE"].map((level) => ({
        ...{ name: level, value: level },
        selected: levels.some((one) => one.permission_name === name && one.hmi_level === level),
      })),
      parameters: keysOf(name).map((key) => ({
        ...{ name: key, key, is_custom: custom.includes(key) },
        selected: parameters.some((one) => one.rpc_name === name && one.parameter === key),
      })),
    }));
  const prompt = messages.includes(row.user_consent_prompt) ? row.user_consent_prompt : null;
  return { ...members, name: property_name, user_consent_prompt: prompt, rpcs: isDetail ? rpcs : [] };
}

function message(rows: Rows, row: any, isDetail: boolean) {
  const texts = from(rows, "message_text").filter((one) => one.message_group_id === row.id);
  const languages = texts.map(({ message_group_id, ...text }) => ({
    ...text,
    selected: true,
    message_category_id: message_group_id,
  }));
  const others = [{ ...languages[0], id: 0, language_id: "xx-xx", selected: false, tts: "" }];
  const times = { created_ts: isoTime(row.created_ts), updated_ts: isoTime(row.updated_ts) };
  return { ...row, ...times, languages: isDetail ? [...others, ...languages] : [], language_count: languages.length };
}

/** Numbers and flags are told as text, as they are stored. */
function item(rows: Rows, row: any): any {
  const children = from(rows, "custom_vehicle_data").filter(({ parent_id }) => parent_id === row.id);
  const times = { created_ts: isoTime(row.created_ts), updated_ts: isoTime(row.updated_ts) };
  return { ...row, ...times, params: children.map((child) => item(rows, child)) };
}

function moduleConfig(rows: Rows, row: any, tellsKeys: boolean) {
  const names = ["EMERGENCY", "NAVIGATION", "PROJECTION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"];
  const counts = (prefix: string) =>
    Object.fromEntries(names.map((name) => [name, row[`${prefix}${name.toLowerCase()}_notifications`]]));
  const properties = from(rows, "module_config_endpoint_property").filter((one) => one.module_config_id === row.id);
  const endpoints: Record<string, string> = {
    ...{ "0x04": row.endpoint_0x04, queryAppsUrl: row.query_apps_url },
    lock_screen_icon_url: row.lock_screen_default_url,
    custom_vehicle_data_mapping_url: row.custom_vehicle_data_mapping_url,
  };
  const propertiesOf = (endpoint: string) =>
    properties.filter((one) => one.endpoint_name === endpoint).map((one) => [one.property_name, one.property_value]);
  const retries = from(rows, "module_config_retry_seconds").filter((one) => one.id === row.id);
  const { exchange_after_x_ignition_cycles, exchange_after_x_kilometers, exchange_after_x_days } = row;
  return {
    ...{ id: row.id, status: row.status, timeout_after_x_seconds: row.timeout_after_x_seconds },
    ...{ exchange_after_x_ignition_cycles, exchange_after_x_kilometers, exchange_after_x_days },
    seconds_between_retries: retries.toSorted((a, b) => a.order - b.order).map(({ seconds }) => seconds),
    endpoints,
    endpoint_properties: Object.fromEntries(
      Object.keys(endpoints).map((name) => [name, Object.fromEntries(propertiesOf(name))]),
    ),
    lock_screen_dismissal_enabled: row.lock_screen_dismissal_enabled,
    notifications_per_minute_by_priority: counts(""),
    subtle_notifications_per_minute_by_priority: counts("subtle_"),
    ...(tellsKeys && {
      certificate: row.certificate,
      private_key: row.private_key,
      expiration_ts: isoTime(row.expiration_ts),
    }),
  };
}
