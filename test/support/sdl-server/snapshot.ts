/** The compiler input of an sdl_server: a snapshot built from its rows, without any migration code. */
import type { PolicySnapshot, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { notificationPriorities } from "@/lib/vocabulary/terms";
import { aCatalogue, aModuleConfig, anApp, aVehicleDataItem, viewsOf } from "@/test/support/builders";
import { seedSnapshot } from "@/test/support/seed-snapshot";
import { from, type Rows } from "./rows";

/** Permissions and RPC specification are those of the first data. */
export async function snapshotOf(rows: Rows): Promise<PolicySnapshot> {
  const messages = from(rows, "message_group").map((row) => ({
    ...{ id: row.id, status: row.status, category: row.message_category, isDeleted: row.is_deleted },
    languages: of(rows, "message_text", "message_group_id", row.id).map(({ language_id, text_body, ...texts }) => ({
      ...{ tts: texts.tts, line1: texts.line1, line2: texts.line2, textBody: text_body, label: texts.label },
      languageId: language_id,
    })),
  }));
  const items = from(rows, "custom_vehicle_data")
    .filter(({ parent_id }) => parent_id === null)
    .map((row) => ({
      ...vehicleDataItem(rows, row),
      ...{ id: row.id, status: row.status, isDeleted: row.is_deleted, savedAt: Date.parse(`${row.created_ts}Z`) },
    }));
  return {
    ...(await seedSnapshot([])),
    groups: viewsOf(groups(rows), ({ name }) => name),
    messages: viewsOf(messages, ({ category }) => category),
    vehicleData: viewsOf(items, ({ name }) => name),
    moduleConfigs: viewsOf(moduleConfigs(rows), () => "the only one"),
    apps: aCatalogue(apps(rows)),
  };
}

const of = (rows: Rows, table: string, key: string, value: unknown) =>
  from(rows, table).filter((row) => row[key] === value);

function groups(rows: Rows) {
  return from(rows, "function_group_info").map((row) => {
    const allowed = of(rows, "function_group_hmi_levels", "function_group_id", row.id);
    const parameters = of(rows, "function_group_parameters", "function_group_id", row.id);
    return {
      ...{ id: row.id, name: row.property_name, status: row.status, isDeleted: row.is_deleted },
      ...recordOf(groupFlags, (flag) => row[snakeName(flag)] === true),
      userConsentPrompt: row.user_consent_prompt || null,
      rpcs: [...new Set<string>(allowed.map(({ permission_name }) => permission_name))].map((name) => ({
        name,
        levels: allowed.filter((one) => one.permission_name === name).map(({ hmi_level }) => hmi_level),
        parameters: parameters.filter(({ rpc_name }) => rpc_name === name).map(({ parameter }) => parameter),
      })),
    };
  });
}

function vehicleDataItem(rows: Rows, row: any): any {
  const limit = (name: string) => (row[name] === null ? {} : { [limitNames[name] ?? ""]: Number(row[name]) });
  return aVehicleDataItem({
    ...{
      name: row.name,
      key: row.key,
      type: row.type,
      mandatory: row.mandatory === "true",
      array: row.array === "true",
    },
    ...Object.assign({}, ...Object.keys(limitNames).map(limit)),
    params: of(rows, "custom_vehicle_data", "parent_id", row.id).map((child) => vehicleDataItem(rows, child)),
  });
}
const limitNames: Record<string, string> = {
  ...{ min_length: "minLength", max_length: "maxLength", min_size: "minSize", max_size: "maxSize" },
  ...{ min_value: "minValue", max_value: "maxValue" },
};

function moduleConfigs(rows: Rows) {
  return from(rows, "module_config").map((row) => {
    const counts = (prefix: string) =>
      recordOf(notificationPriorities, (name) => Number(row[`${prefix}${name.toLowerCase()}_notifications`]));
    const retries = of(rows, "module_config_retry_seconds", "id", row.id).toSorted((a, b) => a.order - b.order);
    return aModuleConfig({
      ...{ id: row.id, status: row.status, lockScreenDismissalEnabled: row.lock_screen_dismissal_enabled },
      exchangeAfterXIgnitionCycles: row.exchange_after_x_ignition_cycles,
      exchangeAfterXKilometers: row.exchange_after_x_kilometers,
      exchangeAfterXDays: row.exchange_after_x_days,
      timeoutAfterXSeconds: row.timeout_after_x_seconds,
      secondsBetweenRetries: retries.map(({ seconds }) => seconds),
      endpoints: {
        ...{ "0x04": row.endpoint_0x04, queryAppsUrl: row.query_apps_url },
        lock_screen_icon_url: row.lock_screen_default_url,
        custom_vehicle_data_mapping_url: row.custom_vehicle_data_mapping_url,
      },
      endpointProperties: of(rows, "module_config_endpoint_property", "module_config_id", row.id).map((one) => ({
        ...{ endpoint: one.endpoint_name, name: one.property_name, value: one.property_value },
      })),
      notificationsPerMinute: counts(""),
      subtleNotificationsPerMinute: counts("subtle_"),
    });
  });
}

function apps(rows: Rows) {
  return [...new Set<string>(from(rows, "app_info").map(({ app_uuid }) => app_uuid))].map((uuid) => {
    const has = (key: string) => of(rows, "app_oem_enablements", "app_uuid", uuid).some((one) => one.key === key);
    const [preference] = of(rows, "app_hybrid_preference", "app_uuid", uuid);
    return anApp({
      ...{ uuid, isBlacklisted: has("blacklist"), isAdministratorApp: has("administrator_fg") },
      allowUnknownRpcPassthrough: has("allow_unknown_rpc_passthrough"),
      hybridAppPreference: preference?.hybrid_preference ?? null,
      versions: of(rows, "app_info", "app_uuid", uuid).map((row) => appVersion(rows, row)),
    });
  });
}

function appVersion(rows: Rows, row: any): SnapshotAppVersion {
  const own = (table: string) => of(rows, table, "app_id", row.id);
  const inService = (table: string, name: string) => own(table).filter((one) => one.service_type_name === name);
  return {
    ...{ id: row.id, approvalStatus: row.approval_status, shortUuid: row.app_short_uuid },
    displayNames: own("display_names").map(({ display_text }) => display_text),
    ...{ canStealFocus: row.can_steal_focus, canBackgroundAlert: row.can_background_alert },
    ...{ canManageWidgets: row.can_manage_widgets, defaultHmiLevel: row.default_hmi_level },
    ...{
      encryptionRequired: row.encryption_required,
      iconUrl: row.icon_url,
      caCertificate: row.ca_certificate ?? null,
    },
    ...{ cloudEndpoint: row.cloud_endpoint, cloudTransportType: row.cloud_transport_type },
    categories: own("app_categories").flatMap(({ category_id }) => of(rows, "categories", "id", category_id)),
    permissions: own("app_permissions").map(({ permission_name: key, hmi_level: hmiLevel }) => ({ key, hmiLevel })),
    services: own("app_service_types").map(({ service_type_name: name }) => ({
      name,
      serviceNames: inService("app_service_type_names", name).map(({ service_name }) => service_name),
      selectedPermissions: inService("app_service_type_permissions", name).map((one) => one.permission_name),
    })),
    groupGrants: own("app_function_groups").map(({ property_name }) => property_name),
  };
}
