import { type Rows, timeOf } from "./rows";

const decisions = ["ACCEPTED", "STAGING", "LIMITED", "PENDING", "ACCEPTED"];
const requested = [
  ...["Show", "Alert", "AddCommand", "Speak", "SendLocation", "DialNumber", "gps", "speed", "CLIMATE", "RADIO"],
];
const levels = ["HMI_FULL", "HMI_LIMITED", "HMI_BACKGROUND", "HMI_NONE"];
/** The name of `id` 2 differs from its HMI type; nothing that is granted has the last one. */
const categories = [
  { id: 1, display_name: "Media", name: "MEDIA" },
  { id: 2, display_name: "Routes", name: "NAVIGATION" },
  { id: 3, display_name: "Information", name: "INFORMATION" },
  { id: 4, display_name: "Background process", name: "BACKGROUND_PROCESS" },
];
const uuidOf = (index: number) => `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`;

/** Each app has up to four versions, interleaved with other apps; the latest decisions differ between apps. */
export function appRows(count: number): Rows {
  const rows: Record<string, any[]> = Object.fromEntries(
    [
      ...["app_info", "app_categories", "app_countries", "app_permissions", "display_names", "app_locale"],
      "app_locale_ttsname",
    ]
      .concat(["app_service_types", "app_service_type_names", "app_service_type_permissions", "app_function_groups"])
      .concat(["app_oem_enablements", "app_hybrid_preference", "app_certificates"])
      .map((name) => [name, []]),
  );
  const add = (table: string, row: object) => void rows[table]?.push(row);
  for (let round = 0; round < 4; round += 1) {
    for (let index = 0; index < count; index += 1) if (round <= index % 4) addVersion(index, round, add, rows);
  }
  for (let index = 0; index < count; index += 1) addDecisions(index, add);
  const types = ["MEDIA", "NAVIGATION"].map((name) => ({ name, display_name: `${name} service` }));
  const allowed = [
    { service_type_name: "MEDIA", permission_name: "ButtonPress" },
    { service_type_name: "NAVIGATION", permission_name: "SendLocation" },
  ];
  const countries = [
    { iso: "DE", name: "Germany" },
    { iso: "FR", name: "France" },
  ];
  return { ...rows, categories, countries, service_types: types, service_type_permissions: allowed };
}

type Add = (table: string, row: object) => void;

function addVersion(index: number, round: number, add: Add, rows: Readonly<Record<string, readonly unknown[]>>): void {
  const id = (rows["app_info"]?.length ?? 0) + 1;
  const isNewest = round === index % 4;
  const approval_status = isNewest ? decisions[index % 5] : round === 0 ? "ACCEPTED" : "LIMITED";
  const isCloud = index % 7 === 0;
  const own = index % 20 === 8 ? [4] : index % 3 === 0 ? [1, 3] : [1 + (index % 3)];
  add("app_info", {
    ...{
      id,
      app_uuid: uuidOf(index),
      name: `App ${index}`,
      platform: isCloud ? "CLOUD" : "ANDROID",
      status: "PRODUCTION",
    },
    ...{
      platform_app_id: index % 2 === 0 ? `com.example.a${index}` : null,
      icon_url: `https://i.example.com/${id}.png`,
    },
    ...{ can_background_alert: index % 2 === 0, can_steal_focus: index % 3 === 0, can_manage_widgets: index % 6 === 4 },
    ...{ default_hmi_level: levels[index % 4], tech_email: `a${index}@example.com`, tech_phone: null },
    ...{ created_ts: timeOf(1000 + id), updated_ts: timeOf(1000 + id), category_id: own[0], approval_status },
    denial_message: approval_status === "LIMITED" ? "asks too much" : null,
    ...{ app_short_uuid: uuidOf(index).replaceAll("-", "").slice(0, 10), version_id: index * 10 + round },
    ...{ vendor_name: "Vendor", vendor_email: "v@example.com", encryption_required: index % 4 === 1 },
    cloud_endpoint: isCloud ? `wss://cloud.example.com/${index}` : null,
    cloud_transport_type: isCloud ? "WSS" : null,
    ...{ min_rpc_version: "5.0.0", developer_version: `1.${round}.0`, description: `Version ${round} of app ${index}` },
  });
  for (const category_id of own) add("app_categories", { app_id: id, category_id });
  add("app_countries", { app_id: id, country_iso: index % 2 === 0 ? "DE" : "FR" });
  for (const display_text of [`App ${index}`, `App ${index} ${round}`])
    add("display_names", { app_id: id, display_text });
  for (const [at, permission_name] of requested.entries()) {
    if ((at + index) % 3 === 0) continue;
    add("app_permissions", { app_id: id, permission_name, hmi_level: levels[(at + index) % 4] });
  }
  if (index % 8 === 0) {
    add("app_locale", { id, app_id: id, locale: "de-de", name: `Anwendung ${index}`, vr_names: [`Ton ${index}`] });
    add("app_locale_ttsname", { app_locale_id: id, chunk_type: "TEXT", chunk_text: `Anwendung ${index}` });
  }
  if (index % 4 === 0) {
    const [service_type_name, permission_name] =
      index % 8 === 0 ? ["MEDIA", "ButtonPress"] : ["NAVIGATION", "SendLocation"];
    add("app_service_types", { app_id: id, service_type_name });
    for (const service_name of [`Service ${index}`, "Alias"])
      add("app_service_type_names", { app_id: id, service_type_name, service_name });
    if (index % 3 !== 0) add("app_service_type_permissions", { app_id: id, service_type_name, permission_name });
  }
  if (index % 5 === 0)
    add("app_function_groups", {
      app_id: id,
      property_name: `Group-${index % 10 === 0 ? 3 : 9}`,
      created_ts: timeOf(id),
    });
}

function addDecisions(index: number, add: Add): void {
  const app_uuid = uuidOf(index);
  const created_ts = timeOf(5000 + index);
  if (index % 9 === 4) add("app_oem_enablements", { app_uuid, key: "blacklist", created_ts });
  if (index % 6 === 0) add("app_oem_enablements", { app_uuid, key: "auto_approve", created_ts });
  if (index % 11 === 0) add("app_oem_enablements", { app_uuid, key: "administrator_fg", created_ts });
  if (index % 13 === 0) add("app_oem_enablements", { app_uuid, key: "allow_unknown_rpc_passthrough", created_ts });
  const preference = ["CLOUD", "MOBILE", "BOTH"][index % 3];
  if (index % 4 === 3) add("app_hybrid_preference", { app_uuid, hybrid_preference: preference, created_ts });
  const certificate = Buffer.from(`container of ${app_uuid}`).toString("base64");
  const expiration_ts = timeOf(index === 37 ? 0 : 9_000_000);
  if (index % 4 === 1) add("app_certificates", { app_uuid, certificate, expiration_ts, created_ts });
}
