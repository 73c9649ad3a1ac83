import { from, type Rows, viewOf } from "./rows";

const isoTime = (time: string | null | undefined) => (time ? `${time}Z` : null);

/** Answers about apps; undefined for other paths, null for what there is not. */
export function appAnswers(rows: Rows, certificate: string | null, path: string, query: URLSearchParams): unknown {
  switch (path) {
    case "/applications": {
      const all = from(rows, "app_info");
      const latest = viewOf(all, "app_uuid", "staging");
      const uuid = query.get("uuid");
      const byUuid = uuid === null ? latest : latest.filter((row) => row.app_uuid === uuid);
      const shown = query.has("id") ? all.filter((row) => row.id === Number(query.get("id"))) : byUuid;
      const tellsKeys = certificate !== null && query.size > 0;
      return { applications: shown.map((row) => application(rows, row, tellsKeys ? certificate : null)) };
    }
    case "/applications/groups": {
      const environment = query.get("environment") === "production" ? "production" : "staging";
      const grants = from(rows, "app_function_groups").filter((one) => one.app_id === Number(query.get("app_id")));
      const shown = viewOf(from(rows, "function_group_info"), "property_name", environment).filter(
        (row) => !row.is_deleted,
      );
      return {
        groups: shown.map((row) => ({
          ...{ ...row, created_ts: isoTime(row.created_ts), updated_ts: isoTime(row.updated_ts) },
          is_selected: grants.some((one) => one.property_name === row.property_name),
        })),
      };
    }
    case "/applications/certificate/get": {
      const found = from(rows, "app_certificates").find((one) => one.app_uuid === query.get("appId"));
      if (found === undefined || certificate === null) return null;
      if (Date.parse(`${found.expiration_ts}Z`) < Date.now()) throw new Error("it has ended");
      return { certificate: found.certificate };
    }
    default:
      return undefined;
  }
}

/** Permissions that this server does not know are not told, nor the HMI type of a category. */
function application(rows: Rows, row: any, certificate: string | null) {
  const own = (table: string) => from(rows, table).filter((one) => one.app_id === row.id);
  const ofApp = (table: string) => from(rows, table).filter((one) => one.app_uuid === row.app_uuid);
  const typeOf = (key: string) => from(rows, "permissions").find(({ name }) => name === key)?.type;
  const categoryOf = (id: number) => from(rows, "categories").find((one) => one.id === id);
  const toCategory = ({ id, display_name }: any) => ({ id, display_name });
  const has = (key: string) => ofApp("app_oem_enablements").some((one) => one.key === key);
  const { app_uuid, app_short_uuid, created_ts, updated_ts, ...members } = row;
  return {
    ...{ ...members, uuid: app_uuid, short_uuid: app_short_uuid },
    ...{ created_ts: isoTime(created_ts), updated_ts: isoTime(updated_ts) },
    category: toCategory(categoryOf(row.category_id) ?? { id: null, display_name: null }),
    categories: own("app_categories").map(({ category_id }) => toCategory(categoryOf(category_id))),
    countries: own("app_countries").map(({ country_iso }) =>
      from(rows, "countries").find(({ iso }) => iso === country_iso),
    ),
    display_names: own("display_names").map(({ display_text }) => display_text),
    permissions: own("app_permissions")
      .map(({ permission_name: key, hmi_level }) => ({ key, hmi_level, type: typeOf(key) }))
      .filter(({ type }) => type !== undefined),
    services: own("app_service_types").map(({ service_type_name: name }) => service(rows, row.id, name)),
    ...{ is_auto_approved_enabled: has("auto_approve"), is_administrator_app: has("administrator_fg") },
    ...{ is_blacklisted: has("blacklist"), allow_unknown_rpc_passthrough: has("allow_unknown_rpc_passthrough") },
    hybrid_app_preference: ofApp("app_hybrid_preference")[0]?.hybrid_preference ?? "BOTH",
    ...(certificate !== null && ofApp("app_certificates").length > 0 && { certificate, private_key: "KEY" }),
  };
}

function service(rows: Rows, app_id: number, name: string) {
  const own = (table: string) =>
    from(rows, table).filter((one) => one.app_id === app_id && one.service_type_name === name);
  const granted = own("app_service_type_permissions").map((one) => one.permission_name);
  return {
    name,
    display_name: from(rows, "service_types").find((one) => one.name === name)?.display_name,
    service_names: own("app_service_type_names").map(({ service_name }) => service_name),
    permissions: from(rows, "service_type_permissions")
      .filter((one) => one.service_type_name === name)
      .map((one) => ({ app_id, name: one.permission_name, is_selected: granted.includes(one.permission_name) })),
  };
}
