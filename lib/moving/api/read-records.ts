/** Groups, messages, vehicle data and module configs out of the API of an sdl_server (`exchange.md` X7). */
import { answers, type ModuleConfigAnswer, readAnswer, type VehicleDataAnswer } from "@/lib/moving/api/answers";
import { type Asking, forAll } from "@/lib/moving/api/asking";
import { type Gathered, uniqueById } from "@/lib/moving/api/rows";
import { environments } from "@/lib/words/vocabulary";

/**
 * Adds the functional groups of both views. A group does not tell of RPCs that are no permission of the other server, but its
 * tables do; nor of prompts without a message, but the lists of groups for apps do.
 *
 * @param now stands for times that are not told
 */
export async function readGroups({ ask }: Asking, { rows }: Gathered, now: Date): Promise<void> {
  const views = await forAll(environments, async (environment) => {
    const query = { environment };
    const [list, forApps, table] = await Promise.all([
      ask("/groups", { query }).then((data) => readAnswer(answers.groupIds, data, "/groups")),
      ask("/applications/groups", { query }).then((data) =>
        readAnswer(answers.groupsOfApp, data, "/applications/groups"),
      ),
      ask("/policy/preview", { query }).then((data) => readAnswer(answers.preview, data, "/policy/preview")),
    ]);
    return { ids: new Set(list.groups.map(({ id }) => id)), forApps: forApps.groups, table: table[0].policy_table };
  });
  const forApps = new Map(views.flatMap((view) => view.forApps.map((group) => [group.id, group] as const)));
  const ids = new Set(views.flatMap((view) => [...view.ids]));
  const groups = await forAll(
    [...ids].sort((a, b) => a - b),
    async (id) => {
      const data = await ask("/groups", { query: { id: String(id) } });
      return readAnswer(answers.groups, data, "/groups").groups;
    },
  );
  for (const group of groups.flat()) {
    const told = forApps.get(group.id);
    rows.function_group_info.push({
      ...group,
      property_name: group.name,
      description: group["description"] ?? null,
      user_consent_prompt: told?.user_consent_prompt ?? group.user_consent_prompt,
      created_ts: told?.created_ts ?? now,
      updated_ts: told?.updated_ts ?? now,
    });
    const shown = views.filter((view) => view.ids.has(group.id));
    const allowed = new Map<string, { levels: string[]; parameters: string[] }>();
    const allow = (name: string, levels: readonly string[], parameters: readonly string[]) => {
      const rpc = allowed.get(name) ?? { levels: [], parameters: [] };
      rpc.levels.push(...levels);
      rpc.parameters.push(...parameters);
      allowed.set(name, rpc);
    };
    for (const { name, hmi_levels: levels, parameters } of group.rpcs) {
      const selected = levels.filter((level) => level.selected).map(({ value }) => value);
      allow(
        name,
        selected,
        parameters.filter((parameter) => parameter.selected).map(({ key }) => key),
      );
    }
    for (const { table } of shown) {
      const rpcs = Object.entries(table.functional_groupings[group.name]?.rpcs ?? {});
      for (const [name, { hmi_levels: levels, parameters }] of rpcs) allow(name, levels ?? [], parameters ?? []);
    }
    const function_group_id = group.id;
    for (const [name, { levels, parameters }] of allowed) {
      for (const hmi_level of new Set(levels)) {
        rows.function_group_hmi_levels.push({ function_group_id, permission_name: name, hmi_level });
      }
      for (const parameter of new Set(parameters)) {
        rows.function_group_parameters.push({ function_group_id, rpc_name: name, parameter });
      }
    }
  }
}

/** Adds the consumer messages of both views with their texts. */
export async function readMessages({ ask }: Asking, { rows }: Gathered): Promise<void> {
  const lists = await forAll(environments, async (environment) => {
    return readAnswer(answers.messageIds, await ask("/messages", { query: { environment } }), "/messages").messages;
  });
  const messages = await forAll(uniqueById(lists.flat()), async ({ id }) => {
    const data = await ask("/messages", { query: { id: String(id) } });
    return readAnswer(answers.messages, data, "/messages").messages;
  });
  for (const message of messages.flat()) {
    rows.message_group.push(message);
    const texts = message.languages.filter(({ selected }) => selected);
    rows.message_text.push(...texts.map((text) => ({ ...text, message_group_id: message.id })));
  }
}

/**
 * Adds the custom vehicle data of both views.
 *
 * @param now stands for times that are not told
 */
export async function readVehicleData({ ask }: Asking, { rows }: Gathered, now: Date): Promise<void> {
  const lists = await forAll(environments, async (environment) => {
    const data = await ask("/vehicle-data", { query: { environment } });
    return readAnswer(answers.vehicleData, data, "/vehicle-data").custom_vehicle_data;
  });
  const add = (item: VehicleDataAnswer, parent_id: number | null): void => {
    const { params, created_ts, updated_ts, ...members } = item;
    const times = { created_ts: created_ts ?? now, updated_ts: updated_ts ?? now };
    rows.custom_vehicle_data.push({ ...members, ...times, parent_id });
    for (const child of params ?? []) add(child, item.id);
  };
  for (const root of uniqueById(lists.flat())) add(root, null);
}

/**
 * Adds the module configs of both views. Certificate and key are told only by a server that makes certificates.
 *
 * @param now stands for the times, which are not told
 */
export async function readModuleConfigs({ ask }: Asking, { rows, losses }: Gathered, now: Date): Promise<void> {
  const lists = await forAll(environments, async (environment) => {
    return readAnswer(answers.moduleConfigs, await ask("/module", { query: { environment } }), "/module")
      .module_configs;
  });
  for (const config of uniqueById(lists.flat())) {
    const { id: module_config_id, seconds_between_retries: retries, endpoint_properties: properties } = config;
    rows.module_config.push({ ...toModuleRow(config), created_ts: now, updated_ts: now });
    rows.module_config_retry_seconds.push(...retries.map((seconds, order) => ({ id: config.id, seconds, order })));
    for (const [endpoint_name, members] of Object.entries(properties ?? {})) {
      for (const [property_name, value] of Object.entries(members)) {
        const property_value = value ?? "";
        rows.module_config_endpoint_property.push({ module_config_id, endpoint_name, property_name, property_value });
      }
    }
    if (config.certificate !== null && config.private_key !== null) continue;
    const what = `certificate of module config ${config.id}`;
    losses.push({
      table: "module_config",
      what,
      reason: "the other server tells none: give it here again, if there is one",
    });
  }
}

function toModuleRow(config: ModuleConfigAnswer) {
  const counts = (prefix: string, byPriority: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(byPriority).map(([name, count]) => [`${prefix}${name.toLowerCase()}_notifications`, count]),
    );
  return {
    ...config,
    ...counts("", config.notifications_per_minute_by_priority),
    ...counts("subtle_", config.subtle_notifications_per_minute_by_priority),
    preloaded_pt: false,
    endpoint_0x04: config.endpoints["0x04"] ?? "",
    query_apps_url: config.endpoints["queryAppsUrl"] ?? "",
    lock_screen_default_url: config.endpoints["lock_screen_icon_url"] ?? "",
    custom_vehicle_data_mapping_url: config.endpoints["custom_vehicle_data_mapping_url"] ?? "",
  };
}
