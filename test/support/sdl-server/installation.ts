import { readSeed } from "@/lib/exchange/seed/files";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { appRows } from "./app-rows";
import { type Rows, timeOf } from "./rows";

/** An RPC that is not a permission of the other server, although a group has it. */
const hiddenRpc = "OnSystemCapabilityUpdated";
const levelNames = ["FULL", "LIMITED", "BACKGROUND", "NONE"];
const hmi_levels = levelNames.map((level) => ({ id: `HMI_${level}` }));
const stamps = (id: number) => ({ created_ts: timeOf(id), updated_ts: timeOf(id) });

/** The first data of an sdl_server, unchanged by anybody, including texts with an invalid language code. */
export async function defaultInstallation(): Promise<Rows> {
  const root = process.cwd();
  const [permissions, { groups }, { categories }] = await Promise.all([
    readSeed(root, seedFiles.permissions),
    readSeed(root, seedFiles.functionalGroups),
    readSeed(root, seedFiles.consumerMessages),
  ]);
  const codes = new Set(["es-en", ...categories.flatMap(({ languages }) => Object.keys(languages))]);
  const rpcsOf = groups.map((group, at) => ({ id: at + 1, rpcs: Object.entries(group.rpcs ?? {}) }));
  const [config] = moduleRows()["module_config"] ?? [];
  return {
    hmi_levels,
    languages: [...codes].map((id) => ({ id })),
    categories: [{ id: 1, display_name: "Media", name: "MEDIA" }],
    permissions: permissions.map(({ key, type, function_id }) => ({ name: key, type, function_id })),
    function_group_info: groups.map(({ name, rpcs: _, ...group }, at) => ({
      ...{ id: at + 1, property_name: name, status: "PRODUCTION", is_deleted: false, ...stamps(1) },
      ...{ ...group, is_widget_group: group.is_widget_group || null },
    })),
    function_group_hmi_levels: rpcsOf.flatMap(({ id, rpcs }) =>
      rpcs.flatMap(([permission_name, { hmi_levels }]) =>
        hmi_levels.map((hmi_level) => ({ function_group_id: id, permission_name, hmi_level })),
      ),
    ),
    function_group_parameters: rpcsOf.flatMap(({ id, rpcs }) =>
      rpcs.flatMap(([rpc_name, { parameters = [] }]) =>
        parameters.map((parameter) => ({ function_group_id: id, rpc_name, parameter })),
      ),
    ),
    message_group: categories.map(({ name }, at) => ({
      ...{ id: at + 1, message_category: name, status: "PRODUCTION", is_deleted: false, ...stamps(1) },
    })),
    message_text: categories
      .flatMap(({ languages }, at) =>
        Object.entries({ ...languages, "es-en": languages["en-us"] ?? {} }).map(([language_id, texts]) => ({
          ...{ message_group_id: at + 1, language_id, tts: texts.tts ?? null, line1: texts.line1 ?? null },
          ...{ line2: texts.line2 ?? null, text_body: texts.textBody ?? null, label: texts.label ?? null },
        })),
      )
      .map((text, at) => ({ id: at + 1, ...text })),
    module_config: [{ ...config, private_key: null, certificate: null, expiration_ts: null }],
    module_config_retry_seconds: [1, 5, 25, 125, 625].map((seconds, order) => ({ id: 1, seconds, order })),
    module_config_endpoint_property: (moduleRows()["module_config_endpoint_property"] ?? []).slice(0, 1),
  };
}

export async function richInstallation(): Promise<Rows> {
  const { languages } = await readSeed(process.cwd(), seedFiles.languages);
  const permissions = (await readSeed(process.cwd(), seedFiles.permissions)).filter(({ key }) => key !== hiddenRpc);
  const codes = [...new Set(["en-us", ...languages.map(({ id }) => id)])].slice(0, 20);
  return {
    hmi_levels,
    languages: codes.map((id) => ({ id })),
    locale_lkp: [{ code: "de-de" }, { code: "fr-fr" }],
    permissions: permissions.map(({ key, type, function_id }) => ({ name: key, type, function_id })),
    permission_relations: permissions.flatMap(({ key, parents }) =>
      parents
        .filter((parent) => parent !== hiddenRpc)
        .map((parent) => ({ child_permission_name: key, parent_permission_name: parent })),
    ),
    ...groupRows(),
    ...messageRows(codes),
    custom_vehicle_data: vehicleDataRows(),
    ...moduleRows(),
    ...appRows(40),
  };
}

const rpcNames = ["Show", "Alert", "AddCommand", "Speak", "PerformInteraction", "DialNumber", "SendLocation"];
const vehicleRpcs = ["GetVehicleData", "OnVehicleData", "SubscribeVehicleData"];
const parameterNames = ["gps", "speed", "rpm", "fuelRange", "custom1", "custom3"];
const categoryNames = Array.from({ length: 6 }, (_, index) => `Category ${index + 1}`);

/** Some were edited or deleted in staging since their publication, some are only staged. */
function groupRows(): Rows {
  const rows: Rows = { function_group_info: [], function_group_hmi_levels: [], function_group_parameters: [] };
  const add = (index: number, status: string, edit: object, extra: readonly string[] = []) => {
    const id = (rows.function_group_info?.length ?? 0) + 1;
    const special = index % 6;
    rows.function_group_info?.push({
      id,
      property_name: `Group-${index}`,
      user_consent_prompt: index % 5 === 4 ? categoryNames[index % 6] : index % 7 === 0 ? "" : null,
      description: index % 2 === 0 ? `What group ${index} allows` : null,
      is_deleted: false,
      is_default: index === 0 || index === 12,
      is_pre_data_consent: index === 0,
      is_device: index === 0,
      is_app_provider_group: special === 1,
      is_administrator_group: special === 2,
      is_proprietary_group: special === 3,
      is_widget_group: special === 4 ? true : null,
      encryption_required: index % 8 === 3,
      ...{ status, ...stamps(id), ...edit },
    });
    const names = [...rpcNames.filter((_, at) => (at + index) % 3 === 0), ...extra];
    const allow = (permission_name: string, from: number) => {
      for (const hmi_level of levelNames.filter((_, at) => (at + index + from) % 2 === 0)) {
        rows.function_group_hmi_levels?.push({ function_group_id: id, permission_name, hmi_level });
      }
    };
    if (index === 0) names.push("RegisterAppInterface");
    for (const [at, name] of [...new Set(names)].entries()) allow(name, at);
    if (index % 4 !== 2) return;
    for (const rpc_name of vehicleRpcs) {
      allow(rpc_name, 0);
      for (const parameter of parameterNames.filter((_, at) => (at + index) % 2 === 0 || at === 4)) {
        rows.function_group_parameters?.push({ function_group_id: id, rpc_name, parameter });
      }
    }
  };
  for (let index = 0; index < 26; index += 1) {
    const extra = index % 9 === 5 ? [hiddenRpc] : [];
    if (index % 3 === 0) add(index, "STAGING", { description: "as it was" });
    if (index !== 17 && index !== 23) add(index, "PRODUCTION", {}, extra);
    if (index % 4 === 1) add(index, "STAGING", { description: "edited" }, ["Slider", ...extra]);
    if (index === 10) add(index, "STAGING", { is_deleted: true });
  }
  return rows;
}

function messageRows(codes: readonly string[]): Rows {
  const rows: Rows = { message_group: [], message_text: [] };
  const add = (message_category: string | undefined, status: string, word: string) => {
    const id = (rows.message_group?.length ?? 0) + 1;
    rows.message_group?.push({ id, message_category, status, is_deleted: false, ...stamps(id) });
    for (const language_id of codes) {
      const text = `${word} ${message_category ?? ""} (${language_id})`;
      rows.message_text?.push({
        id: rows.message_text.length + 1,
        message_group_id: id,
        language_id,
        tts: text,
        ...{ line1: `${word} 1`, line2: null, text_body: null, label: id % 2 === 0 ? text : "" },
      });
    }
  };
  for (const category of categoryNames) add(category, "PRODUCTION", "May it?");
  add(categoryNames[1], "STAGING", "Really?");
  add("Only in staging", "STAGING", "Perhaps?");
  return rows;
}

function vehicleDataRows(): any[] {
  const rows: any[] = [];
  const add = (name: string, type: string, status: string, parent_id: number | null, limits: object = {}) => {
    const id = rows.length + 1;
    const members = {
      min_length: null,
      max_length: null,
      min_size: null,
      max_size: null,
      min_value: null,
      max_value: null,
    };
    rows.push({
      id,
      parent_id,
      status,
      name,
      type,
      key: `OEM_${id}`,
      ...members,
      ...{ mandatory: id % 3 === 0 ? null : String(id % 2 === 0), array: id % 4 === 0 ? "true" : "false" },
      ...limits,
      is_deleted: false,
      ...stamps(id),
    });
    return id;
  };
  for (let index = 1; index <= 6; index += 1) {
    const status = index === 5 ? "STAGING" : "PRODUCTION";
    if (index % 2 === 1) {
      const root = add(`custom${index}`, "Struct", status, null);
      add("level", "Integer", status, root, { min_value: "-10", max_value: "10" });
      const inner = add("inner", "Struct", status, root);
      add("label", "String", status, inner, { min_length: "0", max_length: "40" });
    } else
      add(`custom${index}`, "Float", status, null, {
        min_value: "0.5",
        max_value: "99.5",
        min_size: "1",
        max_size: "5",
      });
  }
  add("custom2", "Float", "STAGING", null, { min_value: "0", max_value: "1" });
  return rows;
}

function moduleRows(): Rows {
  const counts = Object.fromEntries(
    ["emergency", "navigation", "projection", "voicecom", "communication", "normal", "none"].flatMap((name, at) => [
      [`${name}_notifications`, 10 + at],
      [`subtle_${name}_notifications`, 20 + at],
    ]),
  );
  const row = (id: number, status: string, timeout: number, mapping: string) => ({
    ...{ id, status, preloaded_pt: false, ...counts, ...stamps(id), timeout_after_x_seconds: timeout },
    ...{ exchange_after_x_ignition_cycles: 100, exchange_after_x_kilometers: 1800, exchange_after_x_days: 30 },
    endpoint_0x04: "https://old.example.com/api/v1/softwareUpdate",
    query_apps_url: "https://old.example.com/api/v1/queryApps",
    lock_screen_default_url: "https://i.example.com/lock.png",
    custom_vehicle_data_mapping_url: mapping,
    lock_screen_dismissal_enabled: true,
    ...{ private_key: "KEY", certificate: "CERT", expiration_ts: timeOf(9_000_000) },
  });
  const mapping = "https://old.example.com/api/v1/vehicleDataMap";
  return {
    module_config: [row(1, "PRODUCTION", 60, mapping), row(2, "STAGING", 45, mapping)],
    module_config_retry_seconds: [1, 2].flatMap((id) => [5, 1, 25].map((seconds, order) => ({ id, seconds, order }))),
    module_config_endpoint_property: [1, 2].map((module_config_id) => ({
      ...{ module_config_id, endpoint_name: "custom_vehicle_data_mapping_url" },
      ...{ property_name: "version", property_value: `0.1.${module_config_id}` },
    })),
  };
}
