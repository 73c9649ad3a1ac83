/* What arrives when a phone forwards a head unit's request, based on the published SDL libraries. */

/** Names of apps, carriers and devices in twelve scripts, and with characters that break on the way. */
export const garbledNames: readonly string[] = [
  ...[
    "Größe",
    "Télé 7",
    "Ĝis",
    "Яндекс Музыка",
    "Ραδιόφωνο",
    "高德地图",
    "ラジオ",
    "라디오",
    "רדיו",
    "راديو",
    "रेडियो",
    "วิทยุ",
  ],
  ...["Ռադիո", "რადიო", "ரேடியோ", "🎵 Tunes", "Ŝipo Ŝ", "Ģ Ģ", "a\\b", "back\\"],
  ...['"Radio"', 'My "App"', '"', 'a","b', "{curly}", "}{", '"},"x', "[list]", 'tab\tand "quote"', "Žluťoučký kůň"],
];

export type Place = "nickname" | "carrier" | "device";
export const places: readonly Place[] = ["nickname", "carrier", "device"];

export function snapshotWith(ids: readonly string[], name: string, place: Place, isFull = true) {
  const nicknames = (at: number) => (place === "nickname" && at !== 1 ? [name, `${name} ${at}`] : [`App ${at}`]);
  const entry = (at: number) => ({
    ...{ AppHMIType: ["MEDIA"], RequestSubType: [], RequestType: [], allow_unknown_rpc_passthrough: false },
    app_services: { MEDIA: { handled_rpcs: [{ function_id: 41 }], service_names: [] } },
    ...{ default_hmi: "NONE", enabled: true, groups: ["Base-4", "Location-1"], keep_context: false, moduleType: [] },
    ...{ nicknames: nicknames(at), priority: "NONE", steal_focus: false },
  });
  const apps = ids.map((id, at) => [id, at % 5 === 3 ? null : at % 5 === 4 ? "default" : entry(at)] as const);
  const device = {
    carrier: place === "carrier" ? name : "Carrier",
    ...{ firmware_rev: "1", hardware: place === "device" ? name : "Phone", max_number_rfcom_ports: 0 },
    ...{ os: "Android", os_version: "14", usb_transport_enabled: false },
  };
  return {
    policy_table: {
      app_policies: { ...Object.fromEntries(apps), default: { groups: ["Base-4"] }, device: {}, pre_DataConsent: {} },
      consumer_friendly_messages: { version: "001.001.001" },
      device_data: { HUU40DAS7F970UEI17A73JH32L41K32JH4L1K234H3K4: device },
      functional_groupings: { "Base-4": { rpcs: { Show: { hmi_levels: ["FULL"] } } } },
      module_config: {
        ...{ endpoints: { "0x07": { default: ["https://policy.example/api/v1/production/policy"] } } },
        ...{ exchange_after_x_days: 30, full_app_id_supported: isFull, seconds_between_retries: [1, 5, 25] },
      },
      module_meta: { pt_exchanged_at_odometer_x: 1 },
      usage_and_error_counts: { app_level: { 12: { count_of_user_selections: 1 } }, count_of_iap_buffer_full: 0 },
      vehicle_data: { schema_version: "1" },
    },
  };
}

/** JSON text of a head unit: some write characters beyond ASCII unchanged, others as `\u`. */
export function writeJson(value: unknown, isEscaped: boolean, space?: number): string {
  const text = JSON.stringify(value, undefined, space);
  if (!isEscaped) return text;
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A head unit's message to the phone in PROPRIETARY mode: its snapshot is a text in a request for the phone to send. */
function withHeader(snapshot: string): string {
  const body = snapshot.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
  const headers = {
    ContentType: "application/json",
    RequestMethod: "POST",
    "Content-Length": Buffer.byteLength(snapshot),
  };
  return `{"HTTPRequest":{"headers":${JSON.stringify(headers)},"body":"${body}"}}`;
}

const unwrapped = (message: string) => (JSON.parse(message) as { HTTPRequest: { body: string } }).HTTPRequest.body;

export const libraries: Readonly<Record<string, (snapshot: string) => Buffer>> = {
  /** Drops every backslash and writes the low byte of each character. */
  "Android, PROPRIETARY": (snapshot) => Buffer.from(unwrapped(withHeader(snapshot)).replaceAll("\\", ""), "latin1"),
  "Android, HTTP": (snapshot) => Buffer.from(snapshot),
  "iOS, PROPRIETARY": (snapshot) => Buffer.from(unwrapped(withHeader(snapshot))),
  "iOS, HTTP": (snapshot) => Buffer.from(snapshot),
};
