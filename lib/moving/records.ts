/** Versioned records of sdl_server as those of this server (`exchange.md` X7). Ids, states and times stay. */
import { groupBy, type Report, type SdlData, type SdlRow } from "@/lib/moving/tables";
import { buildContent, isTreeRefusal, readTree, type VehicleDataNode } from "@/lib/vehicle-data/rules";
import { camelFlags } from "@/lib/moving/flags";
import { byCodeUnit } from "@/lib/words/order";
import { defaultRetries, hmiLevels, storedEndpoints } from "@/lib/words/vocabulary";

type Stamps = Pick<SdlRow<"message_group">, "id" | "status" | "created_ts" | "updated_ts">;
const stampsOf = ({ id: _id, status, created_ts: createdAt, updated_ts: updatedAt }: Stamps) => ({
  _id,
  status,
  createdAt,
  updatedAt,
});

/** What head units take as a name of an RPC or parameter. */
const isWord = (word: string) => word !== "" && Array.from(word).length <= 64 && word.isWellFormed();

/** Functional groups with RPCs, levels and parameters. */
export function convertGroups(data: SdlData, report: Report) {
  const levelsOf = groupBy(data.function_group_hmi_levels, (row) => row.function_group_id);
  const parametersOf = groupBy(data.function_group_parameters, (row) => row.function_group_id);
  return data.function_group_info.map((row) => {
    const what = `group ${row.property_name} (record ${row.id})`;
    const rpcs = new Map<string, { levels: Set<string>; parameters: Set<string> }>();
    for (const { permission_name: name, hmi_level: level } of levelsOf(row.id)) {
      if (!isWord(name) || !hmiLevels.some((one) => one === level)) {
        const reason = `head units refuse ${name} at ${level}`;
        report({ table: "function_group_hmi_levels", what, reason, at: `rpcs.${name}` });
        continue;
      }
      const rpc = rpcs.get(name) ?? { levels: new Set(), parameters: new Set() };
      rpc.levels.add(level);
      rpcs.set(name, rpc);
    }
    for (const { rpc_name: name, parameter } of parametersOf(row.id)) {
      const rpc = rpcs.get(name);
      const reason = rpc === undefined ? `${name} has no HMI level, so no table holds its parameters` : null;
      const refusal = isWord(parameter) ? reason : `head units refuse the parameter ${parameter} of ${name}`;
      if (refusal === null) rpc?.parameters.add(parameter);
      else report({ table: "function_group_parameters", what, reason: refusal, at: `rpcs.${name}` });
    }
    return {
      ...stampsOf(row),
      name: row.property_name,
      isDeleted: row.is_deleted,
      description: row.description,
      userConsentPrompt: row.user_consent_prompt === "" ? null : row.user_consent_prompt,
      ...camelFlags(row),
      rpcs: Array.from(rpcs, ([name, { levels, parameters }]) => ({
        name,
        levels: hmiLevels.filter((level) => levels.has(level)),
        parameters: [...parameters].sort(byCodeUnit),
      })).sort((a, b) => byCodeUnit(a.name, b.name)),
    };
  });
}

/**
 * Consumer messages with their texts.
 *
 * @param languages codes that head units know
 */
export function convertMessages(data: SdlData, languages: ReadonlySet<string>, report: Report) {
  const textsOf = groupBy(data.message_text, (row) => row.message_group_id);
  return data.message_group.map((row) => {
    const what = `message ${row.message_category} (record ${row.id})`;
    const seen = new Set<string>();
    const texts = textsOf(row.id).flatMap(({ id, language_id, tts, line1, line2, text_body: textBody, label }) => {
      const languageId = language_id?.trim().toLowerCase() ?? "";
      const reason = !languages.has(languageId)
        ? `no head unit knows the language ${languageId || "without a code"}`
        : seen.has(languageId)
          ? `the language ${languageId} is there twice`
          : null;
      seen.add(languageId);
      if (reason === null) return [{ id, languageId, tts, line1, line2, textBody, label }];
      report({ table: "message_text", what, reason, at: `languages.${languageId}` });
      return [];
    });
    return { ...stampsOf(row), category: row.message_category, isDeleted: row.is_deleted, languages: texts };
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

/**
 * Module configs with certificate and key.
 *
 * @param seal the form in which a private key is stored
 */
export function convertModuleConfigs(data: SdlData, seal: (key: string | null) => string | null, report: Report) {
  const retriesOf = groupBy(data.module_config_retry_seconds, ({ id }) => id);
  const propertiesOf = groupBy(data.module_config_endpoint_property, (row) => row.module_config_id);
  return data.module_config.map((row) => {
    const countsOf = (prefix: string) =>
      Object.fromEntries(
        priorities.map((name) => [name, Number(row[`${prefix}${name.toLowerCase()}_notifications`] ?? 0)]),
      );
    const properties = propertiesOf(row.id).flatMap(({ endpoint_name, property_name: name, property_value: value }) => {
      const endpoint = storedEndpoints.find((one) => one === endpoint_name);
      if (endpoint !== undefined) return [{ endpoint, name, value }];
      const what = `module config ${row.id}`;
      report({ table: "module_config_endpoint_property", what, reason: `there is no endpoint ${endpoint_name}` });
      return [];
    });
    const retries = retriesOf(row.id)
      .toSorted((a, b) => a.order - b.order)
      .map(({ seconds }) => seconds);
    if (retries.length === 0) {
      const reason = `none, and some cars would never ask again: ${defaultRetries.join(", ")} instead`;
      report({
        table: "module_config_retry_seconds",
        what: `module config ${row.id}`,
        reason,
        at: "seconds_between_retries",
      });
    }
    return {
      ...stampsOf(row),
      exchangeAfterXIgnitionCycles: row.exchange_after_x_ignition_cycles,
      exchangeAfterXKilometers: row.exchange_after_x_kilometers,
      exchangeAfterXDays: row.exchange_after_x_days,
      timeoutAfterXSeconds: row.timeout_after_x_seconds,
      secondsBetweenRetries: retries.length === 0 ? defaultRetries : retries,
      lockScreenDismissalEnabled: row.lock_screen_dismissal_enabled,
      endpoints: {
        "0x04": row.endpoint_0x04,
        queryAppsUrl: row.query_apps_url,
        lock_screen_icon_url: row.lock_screen_default_url,
        custom_vehicle_data_mapping_url: row.custom_vehicle_data_mapping_url,
      },
      // Whatever they are, somebody else has chosen them.
      ownEndpoints: [],
      endpointProperties: properties,
      notificationsPerMinute: countsOf(""),
      subtleNotificationsPerMinute: countsOf("subtle_"),
      certificate: row.certificate,
      privateKey: seal(row.private_key),
      expirationTs: row.expiration_ts,
    };
  });
}
