/** One accepted and one reported case for every row of the head unit rules. */
import type { HeadUnitBuild, HeadUnitSeverity } from "@/lib/policy/head-unit-check";
import { manyOf, type Change } from "@/test/support/valid-table";

type Path = Change["path"];

export interface Row {
  /** Section and row, as the finding names it. */
  readonly rule: string;
  /** What the case is about. */
  readonly about: string;
  /** A change that a head unit takes as it is; null: the valid table itself. */
  readonly accepted: Change | null;
  readonly reported: Change;
  readonly severity: HeadUnitSeverity;
  readonly build: HeadUnitBuild;
  readonly path: string;
}

/** Deviations from the usual case: a refusal by both builds, found where the change was made. */
type Deviation = Partial<Pick<Row, "build" | "severity" | "path">>;

const put = (path: Path, value: unknown): Change => ({ path, value });

const written = (path: Path) =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);

/** The good value and the bad one at the same place. */
function row(rule: string, about: string, path: Path, good: unknown, bad: unknown, deviation: Deviation = {}): Row {
  const usual = { severity: "refused", build: "both", path: written(path) } as const;
  return { rule, about, accepted: put(path, good), reported: put(path, bad), ...usual, ...deviation };
}

function missing(rule: string, path: Path, deviation: Deviation = {}): Row {
  const usual = { severity: "refused", build: "both", path: written(path) } as const;
  return { rule, about: `missing ${written(path)}`, accepted: null, reported: { path }, ...usual, ...deviation };
}

/** A change to a valid table whose opposite is to leave the table alone. */
function only(rule: string, about: string, path: Path, bad: unknown, deviation: Deviation = {}): Row {
  const usual = { severity: "refused", build: "both", path: written(path) } as const;
  return { rule, about, accepted: null, reported: put(path, bad), ...usual, ...deviation };
}

/** Null where section 9 does not allow it; without the member the table is acceptable. */
function nullAt(rule: string, path: Path, deviation: Deviation = {}): Row {
  return only(rule, "null (section 9)", path, null, deviation);
}

const external = { build: "external" } as const;
const regular = { build: "regular" } as const;
const danger = { severity: "danger" } as const;
const corrected = { severity: "corrected" } as const;

/** 128 letters of two bytes: 256 bytes, though 128 characters. */
const bytes256 = "ä".repeat(128);
const bytes255 = `${"ä".repeat(127)}a`;
const words = (count: number, word = "x") => Array.from({ length: count }, (_, index) => `${word}${index}`);

const policies = (...steps: Path): Path => ["app_policies", ...steps];
const app = (...steps: Path): Path => ["app_policies", "11111111aa", ...steps];
const device = (...steps: Path): Path => ["app_policies", "device", ...steps];
const group = (...steps: Path): Path => ["functional_groupings", "Location", ...steps];
const rpc = (...steps: Path): Path => group("rpcs", "GetVehicleData", ...steps);
const config = (...steps: Path): Path => ["module_config", ...steps];
const messages = (...steps: Path): Path => ["consumer_friendly_messages", ...steps];
const english = (...steps: Path): Path => messages("messages", "Location", "languages", "en-us", ...steps);
const item = (...steps: Path): Path => ["vehicle_data", "schema_items", 1, ...steps];

const languages = (...steps: Path): Path => messages("messages", "Location", "languages", ...steps);
const codes = (count: number) => manyOf(count, () => ({ languages: { "en-us": {} } }));
const tongues = (count: number) => ({ "en-us": {}, ...manyOf(count - 1, () => ({})) });
const withItems = (items: readonly unknown[]) => ({ schema_version: "1", schema_items: items });
const itemsNamed = (count: number) =>
  ["cabinScent", ...words(count - 1)].map((name) => ({ name, key: name, type: "String", mandatory: false }));

const fullEntry = {
  keep_context: true,
  steal_focus: false,
  priority: "NONE",
  default_hmi: "NONE",
  groups: ["Base"],
};

const fixedEntries = { default: fullEntry, pre_DataConsent: fullEntry, device: fullEntry };

const section1: readonly Row[] = [
  row("1 half surrogates", "a value", app("nicknames"), ["\ud83d\ude97"], ["\ud800"], {
    path: "app_policies.11111111aa.nicknames[0]",
  }),
  row("1 half surrogates", "a member that no head unit knows", ["note"], "a\ud83d\ude97", "a\ude97"),
  row(
    "1 half surrogates",
    "a key",
    policies(),
    { ...fixedEntries, "\ud83d\ude97": null },
    { ...fixedEntries, "\ud83d": null },
    {
      path: 'app_policies["\\ud83d"]',
    },
  ),
];

const section3: readonly Row[] = [
  row("3 app priority", "unknown", app("priority"), "EMERGENCY", "PROJECTION", corrected),
  row("3 app priority", "null", app("priority"), "NONE", null, corrected),
  missing("3 app priority", app("priority"), corrected),
  row("3 app default_hmi", "unknown", app("default_hmi"), "FULL", "HMI_FULL", { ...corrected, ...external }),
  missing("3 app default_hmi", app("default_hmi"), { ...corrected, ...external }),
  row("3 device.default_hmi", "unknown", device("default_hmi"), "LIMITED", "HMI_NONE", external),
  row(
    "3 notification priority",
    "unknown key",
    config("notifications_per_minute_by_priority"),
    { VOICE_COMMUNICATION: 3, PROJECTION: 900 },
    { NORMAL: 1, normal: 1 },
    { ...corrected, path: "module_config.notifications_per_minute_by_priority.normal" },
  ),
  row(
    "3 RPC name",
    "unknown",
    group("rpcs"),
    { Show: { hmi_levels: ["FULL"] } },
    { show: null },
    {
      ...corrected,
      path: "functional_groupings.Location.rpcs.show",
    },
  ),
  row("3 hmi_levels", "unknown", rpc("hmi_levels"), ["FULL", "FULL"], ["FULL", "HMI_FULL"], {
    ...corrected,
    path: `${written(rpc("hmi_levels"))}[1]`,
  }),
  row("3 parameters", "unknown", rpc("parameters"), ["speed"], ["speed", "Speed"], {
    ...corrected,
    path: `${written(rpc("parameters"))}[1]`,
  }),
  row("3 parameters", "too long", rpc("parameters"), ["speed"], ["speed", bytes256], {
    ...corrected,
    path: `${written(rpc("parameters"))}[1]`,
  }),
  row("3 parameters", "nested parameter", rpc("parameters"), ["cabinScent"], ["cabinScent", "gps.longitudeDegrees"], {
    ...corrected,
    path: `${written(rpc("parameters"))}[1]`,
  }),
  row(
    "3 parameters",
    "custom data no longer sent",
    ["vehicle_data", "schema_items", 1, "name"],
    "cabinScent",
    "other",
    {
      ...corrected,
      path: `${written(rpc("parameters"))}[0]`,
    },
  ),
  row("3 parameters", "spelling that varies", rpc("parameters"), ["speed"], ["speed", "URL"], {
    ...danger,
    path: `${written(rpc("parameters"))}[1]`,
  }),
  row("3 AppHMIType", "unknown", app("AppHMIType"), ["WEB_VIEW"], ["MEDIA", "WIDGET"], {
    ...corrected,
    path: `${written(app("AppHMIType"))}[1]`,
  }),
  row("3 RequestType", "unknown", app("RequestType"), ["ICON_URL"], ["HTTP", "GOPHER"], {
    ...corrected,
    path: `${written(app("RequestType"))}[1]`,
  }),
  row("3 RequestType", "none known", app("RequestType"), [], ["GOPHER"], corrected),
  row("3 RequestType", "wrong type", app("RequestType"), [], "HTTP", { ...corrected, ...external }),
  row("3 RequestType", "null", app("RequestType"), [], null, { ...corrected, ...regular }),
  row("3 RequestSubType", "wrong type", app("RequestSubType"), ["any"], "any", corrected),
  row("3 RequestSubType", "null", app("RequestSubType"), [], null, corrected),
  row("3 moduleType", "unknown", app("moduleType"), ["SEAT"], ["SEAT", "WIPER"], {
    ...corrected,
    path: `${written(app("moduleType"))}[1]`,
  }),
  row("3 moduleType", "none known", app("moduleType"), ["LIGHT"], ["WIPER"], corrected),
];

const section4: readonly Row[] = [
  missing("4 app_policies: default and pre_DataConsent", policies("default")),
  missing("4 app_policies: default and pre_DataConsent", policies("pre_DataConsent")),
  missing("4 app_policies: device", policies("device")),
  row("4 app_policies: device", "not an object", policies("device"), fullEntry, "default"),
  row("4 app_policies: device", "null (section 9)", policies("device"), fullEntry, null),
  row("4 app_policies: null entry", "default", policies("default"), fullEntry, null, danger),
  row("4 app_policies: null entry", "pre_DataConsent", policies("pre_DataConsent"), fullEntry, null, danger),
  row(
    "4 app_policies: number of entries",
    "1,000 without device",
    policies(),
    { ...fixedEntries, ...manyOf(998, () => null) },
    { ...fixedEntries, ...manyOf(999, () => null) },
  ),
  row("4 app_policies: text entry", "empty", app(), "default", ""),
  row("4 app_policies: text entry", "unknown", app(), "default", "pre_DataConsent", danger),
  row("4 app_policies: text entry", "a fixed entry", policies("default"), fullEntry, "default", danger),
  row("4 app_policies: entry", "a number", app(), null, 5),
  row("4 app_policies: entry", "a list", app(), null, []),
  row("4 app_policies: groups", "an empty object", app(), fullEntry, {}, { path: written(app("groups")) }),
  row(
    "4 app_policies: app ids",
    "upper case",
    policies(),
    { ...fixedEntries, "44444444aa": null },
    { ...fixedEntries, "44444444AA": null },
    {
      ...danger,
      path: "app_policies.44444444AA",
    },
  ),
  missing("4 app_policies: groups", app("groups")),
  nullAt("4 app_policies: groups", app("groups")),
  row("4 app_policies: groups", "wrong type", app("groups"), ["Base"], "Base"),
  row("4 app_policies: groups", "empty", policies("default", "groups"), ["Base"], [], external),
  row("4 app_policies: groups", "empty for device", device("groups"), ["Base"], [], external),
  missing("4 app_policies: groups", device("groups"), external),
  row("4 app_policies: groups", "an empty name", policies("default", "groups"), ["Base"], ["Base", ""], {
    path: "app_policies.default.groups[1]",
  }),
  row("4 app_policies: groups", "256 bytes", policies("default", "groups"), ["Base"], ["Base", bytes256], {
    path: "app_policies.default.groups[1]",
  }),
  row(
    "4 app_policies: groups",
    "at most 255",
    policies("default", "groups"),
    Array.from({ length: 255 }, () => "Base"),
    Array.from({ length: 256 }, () => "Base"),
  ),
  row("4 app_policies: groups not in functional_groupings", "unknown", app("groups"), ["Base"], ["Base", "base"], {
    ...danger,
    path: `${written(app("groups"))}[1]`,
  }),
  row("4 app_policies: groups not in functional_groupings", "device", device("groups"), ["Base"], ["Gone"], {
    ...danger,
    ...external,
    path: `${written(device("groups"))}[0]`,
  }),
  row(
    "4 app_policies: preconsented_groups",
    "more than groups",
    app("preconsented_groups"),
    ["Base", "Location"],
    ["a", "b", "c"],
    external,
  ),
  row("4 app_policies: preconsented_groups", "wrong type", app("preconsented_groups"), [], "Base", external),
  row("4 app_policies: preconsented_groups", "an empty name", app("preconsented_groups"), [], [""], {
    ...external,
    path: `${written(app("preconsented_groups"))}[0]`,
  }),
  ...["keep_context", "steal_focus"].flatMap((name) => [
    row("4 app_policies: keep_context, steal_focus", name, app(name), true, 1, external),
    missing("4 app_policies: keep_context, steal_focus", app(name), external),
    missing("4 app_policies: keep_context, steal_focus", device(name), external),
  ]),
  row("4 app_policies: device priority", "unknown", device("priority"), "NORMAL", "PROJECTION"),
  missing("4 app_policies: device priority", device("priority")),
  row("4 app_policies: nicknames", "255 bytes", app("nicknames"), [bytes255], [bytes256], {
    path: `${written(app("nicknames"))}[0]`,
  }),
  row("4 app_policies: nicknames", "empty", app("nicknames"), [], [""], { path: `${written(app("nicknames"))}[0]` }),
  row("4 app_policies: nicknames", "at most 255", app("nicknames"), words(255), words(256)),
  nullAt("4 app_policies: nicknames", app("nicknames")),
  row("4 app_policies: heart_beat_timeout_ms", "range", app("heart_beat_timeout_ms"), 0, -1),
  row("4 app_policies: heart_beat_timeout_ms", "32 bit", app("heart_beat_timeout_ms"), 2147483647, 2147483648),
  ...["certificate", "auth_token", "icon_url"].flatMap((name) => [
    row("4 app_policies: certificate, auth_token, icon_url", name, app(name), "x".repeat(65535), "x".repeat(65536)),
    nullAt("4 app_policies: certificate, auth_token, icon_url", app(name)),
  ]),
  ...["endpoint", "cloud_transport_type"].flatMap((name) => [
    row("4 app_policies: endpoint, cloud_transport_type", name, app(name), bytes255, bytes256),
    nullAt("4 app_policies: endpoint, cloud_transport_type", app(name)),
  ]),
  row("4 app_policies: hybrid_app_preference", "unknown", app("hybrid_app_preference"), "BOTH", "both"),
  nullAt("4 app_policies: hybrid_app_preference", app("hybrid_app_preference")),
  ...["enabled", "encryption_required", "allow_unknown_rpc_passthrough"].flatMap((name) => [
    row("4 app_policies: enabled, encryption_required, allow_unknown_rpc_passthrough", name, app(name), false, 0),
    nullAt("4 app_policies: enabled, encryption_required, allow_unknown_rpc_passthrough", app(name)),
  ]),
  row(
    "4 app_policies: app_services",
    "no handled_rpcs",
    app("app_services"),
    { X: { handled_rpcs: [] } },
    { X: {} },
    {
      path: `${written(app("app_services"))}.X.handled_rpcs`,
    },
  ),
  row(
    "4 app_policies: app_services",
    "a negative function id",
    app("app_services", "MEDIA", "handled_rpcs"),
    [{ function_id: 0 }],
    [{ function_id: -1 }],
    {
      path: `${written(app("app_services"))}.MEDIA.handled_rpcs[0].function_id`,
    },
  ),
  row(
    "4 app_policies: app_services",
    "a service name of 256 bytes",
    app("app_services", "MEDIA", "service_names"),
    [""],
    [bytes256],
    {
      path: `${written(app("app_services"))}.MEDIA.service_names[0]`,
    },
  ),
  row(
    "4 app_policies: app_services",
    "at most 255",
    app("app_services"),
    manyOf(255, () => ({ handled_rpcs: [] })),
    manyOf(256, () => ({ handled_rpcs: [] })),
  ),
  nullAt("4 app_policies: app_services", app("app_services")),
  nullAt("4 app_policies: AppHMIType", app("AppHMIType")),
  nullAt("4 app_policies: moduleType", app("moduleType")),
  row("4 app_policies: moduleType", "empty list", app("moduleType"), ["SEAT"], [], danger),
];

const section5: readonly Row[] = [
  row(
    "5 functional_groupings: number of groups",
    "at most 255",
    ["functional_groupings"],
    { Base: { rpcs: null }, Location: { rpcs: null }, ...manyOf(253, () => ({ rpcs: null })) },
    { Base: { rpcs: null }, Location: { rpcs: null }, ...manyOf(254, () => ({ rpcs: null })) },
  ),
  only("5 functional_groupings: number of groups", "at least one", ["functional_groupings"], {}),
  row("5 functional_groupings: group", "null (section 9)", group(), { rpcs: null }, null),
  missing("5 functional_groupings: rpcs", group("rpcs")),
  row("5 functional_groupings: rpcs", "wrong type", group("rpcs"), {}, []),
  row("5 functional_groupings: rpcs", "a null RPC", rpc(), { hmi_levels: ["FULL"] }, null),
  missing("5 functional_groupings: hmi_levels", rpc("hmi_levels")),
  nullAt("5 functional_groupings: hmi_levels", rpc("hmi_levels")),
  row(
    "5 functional_groupings: hmi_levels",
    "at most 4",
    rpc("hmi_levels"),
    words(4).fill("FULL"),
    words(5).fill("FULL"),
  ),
  row("5 functional_groupings: hmi_levels", "empty", rpc("hmi_levels"), ["NONE"], [], danger),
  row(
    "5 functional_groupings: parameters",
    "100",
    rpc("parameters"),
    words(100).fill("speed"),
    words(101).fill("speed"),
    external,
  ),
  row("5 functional_groupings: parameters", "255", rpc("parameters"), ["vin"], words(256).fill("speed")),
  row("5 functional_groupings: parameters", "empty", rpc("parameters"), ["vin"], [], danger),
  row("5 functional_groupings: parameters", "ends empty", rpc("parameters"), ["vin"], ["unheardOf"], danger),
  nullAt("5 functional_groupings: parameters", rpc("parameters")),
  row("5 functional_groupings: user_consent_prompt", "255 bytes", group("user_consent_prompt"), bytes255, bytes256),
  row("5 functional_groupings: user_consent_prompt", "empty", group("user_consent_prompt"), "Any", ""),
  nullAt("5 functional_groupings: user_consent_prompt", group("user_consent_prompt")),
  row("5 functional_groupings: encryption_required", "wrong type", group("encryption_required"), true, "true"),
  nullAt("5 functional_groupings: encryption_required", group("encryption_required")),
  ...["on", "off"].flatMap((side) => {
    const path = group(`disallowed_by_external_consent_entities_${side}`);
    const rule = "5 functional_groupings: disallowed_by_external_consent_entities";
    const entity = { entityType: 128, entityID: 0 };
    return [
      row(rule, "range", path, [entity], [{ ...entity, entityType: 129 }], {
        ...external,
        path: `${written(path)}[0].entityType`,
      }),
      row(rule, "no id", path, [], [{ entityType: 1 }], { ...external, path: `${written(path)}[0].entityID` }),
      row(rule, "at most 100", path, Array(100).fill(entity), Array(101).fill(entity), external),
    ];
  }),
];

const section6: readonly Row[] = [
  ...(
    [
      ["exchange_after_x_ignition_cycles", 255],
      ["exchange_after_x_days", 255],
      ["exchange_after_x_kilometers", 2147483647],
      ["timeout_after_x_seconds", 65535],
    ] as const
  ).flatMap(([name, greatest]) => [
    row(`6 module_config: ${name}`, "greatest", config(name), greatest, greatest + 1),
    row(`6 module_config: ${name}`, "fraction", config(name), JSON.parse("30.0"), 30.5),
    row(`6 module_config: ${name}`, "text", config(name), 0, "30"),
    row(`6 module_config: ${name}`, "negative", config(name), 0, -1),
    nullAt(`6 module_config: ${name}`, config(name)),
    missing(`6 module_config: ${name}`, config(name)),
  ]),
  row(
    "6 module_config: seconds_between_retries",
    "at most 5",
    config("seconds_between_retries"),
    [],
    [1, 1, 1, 1, 1, 1],
  ),
  row("6 module_config: seconds_between_retries", "1 to 1000", config("seconds_between_retries"), [1, 1000], [0, 1], {
    path: "module_config.seconds_between_retries[0]",
  }),
  row("6 module_config: seconds_between_retries", "above 1000", config("seconds_between_retries"), [1000], [1, 1001], {
    path: "module_config.seconds_between_retries[1]",
  }),
  missing("6 module_config: seconds_between_retries", config("seconds_between_retries")),
  nullAt("6 module_config: seconds_between_retries", config("seconds_between_retries")),
  missing("6 module_config: endpoints", config("endpoints")),
  nullAt("6 module_config: endpoints", config("endpoints")),
  row("6 module_config: endpoints", "no service", config("endpoints"), { "0x07": { default: ["0123456789"] } }, {}),
  row(
    "6 module_config: endpoints",
    "255 services",
    config("endpoints"),
    { "0x07": { default: ["0123456789"] }, ...manyOf(254, () => ({ default: ["0123456789"] })) },
    { "0x07": { default: ["0123456789"] }, ...manyOf(255, () => ({ default: ["0123456789"] })) },
  ),
  row(
    "6 module_config: endpoints",
    "no default list",
    config("endpoints", "queryAppsUrl"),
    { default: ["0123456789"] },
    { app: ["0123456789"] },
  ),
  row(
    "6 module_config: endpoints",
    "short URL",
    config("endpoints", "queryAppsUrl", "default"),
    ["0123456789"],
    ["012345678"],
    {
      path: "module_config.endpoints.queryAppsUrl.default[0]",
    },
  ),
  row("6 module_config: endpoints", "no URL", config("endpoints", "queryAppsUrl", "default"), ["0123456789"], []),
  row(
    "6 module_config: endpoints",
    "4 URLs",
    config("endpoints", "queryAppsUrl", "default"),
    words(3, "https://x.test/"),
    words(4, "https://x.test/"),
  ),
  missing('6 module_config: endpoints["0x07"]', config("endpoints", "0x07"), danger),
  row(
    "6 module_config: endpoint_properties",
    "no version",
    config("endpoint_properties"),
    { "0x04": 1 },
    { custom_vehicle_data_mapping_url: {} },
    {
      path: "module_config.endpoint_properties.custom_vehicle_data_mapping_url.version",
    },
  ),
  row(
    "6 module_config: endpoint_properties",
    "no object",
    config("endpoint_properties"),
    {},
    { custom_vehicle_data_mapping_url: "1" },
    {
      path: "module_config.endpoint_properties.custom_vehicle_data_mapping_url",
    },
  ),
  row(
    "6 module_config: endpoint_properties",
    "100 bytes",
    config("endpoint_properties"),
    { x: { version: "1".repeat(100) } },
    { x: { version: "1".repeat(101) } },
    {
      path: "module_config.endpoint_properties.x.version",
    },
  ),
  row(
    "6 module_config: endpoint_properties",
    "255 entries",
    config("endpoint_properties"),
    manyOf(255, () => ({})),
    manyOf(256, () => ({})),
  ),
  nullAt("6 module_config: endpoint_properties", config("endpoint_properties")),
  missing("6 module_config: notifications_per_minute_by_priority", config("notifications_per_minute_by_priority")),
  ...["notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority"].flatMap((name) => [
    row(
      `6 module_config: ${name}`,
      "range",
      config(name),
      { NORMAL: 255 },
      { NORMAL: 256 },
      { path: `module_config.${name}.NORMAL` },
    ),
    row(
      `6 module_config: ${name}`,
      "a null count",
      config(name),
      {},
      { NONE: null },
      { path: `module_config.${name}.NONE` },
    ),
    nullAt(`6 module_config: ${name}`, config(name)),
  ]),
  row("6 module_config: certificate", "65,535 bytes", config("certificate"), "x".repeat(65535), "x".repeat(65536)),
  nullAt("6 module_config: certificate", config("certificate")),
  ...["vehicle_make", "vehicle_model"].flatMap((name) => [
    row("6 module_config: vehicle_make, vehicle_model", name, config(name), "x".repeat(100), "x".repeat(101)),
    row("6 module_config: vehicle_make, vehicle_model", `empty ${name}`, config(name), "x", "", regular),
  ]),
  row("6 module_config: vehicle_year", "above 4 bytes", config("vehicle_year"), "2026", "12026"),
  row("6 module_config: vehicle_year", "below 4 bytes", config("vehicle_year"), "2026", "26", regular),
  ...["preloaded_pt", "preloaded_date"].map((name) =>
    only("6 module_config: preloaded_pt, preloaded_date", name, config(name), false, external),
  ),
  ...["lock_screen_dismissal_enabled", "full_app_id_supported"].flatMap((name) => [
    row("6 module_config: lock_screen_dismissal_enabled, full_app_id_supported", name, config(name), true, 1),
    nullAt("6 module_config: lock_screen_dismissal_enabled, full_app_id_supported", config(name)),
  ]),
];

const section7: readonly Row[] = [
  missing("7 consumer_friendly_messages: version", messages("version")),
  row("7 consumer_friendly_messages: version", "100 bytes", messages("version"), "1".repeat(100), "1".repeat(101)),
  row("7 consumer_friendly_messages: version", "empty", messages("version"), "1", ""),
  nullAt("7 consumer_friendly_messages: version", messages("version")),
  nullAt("7 consumer_friendly_messages", messages()),
  row("7 consumer_friendly_messages: messages", "at most 255", messages("messages"), codes(255), codes(256)),
  nullAt("7 consumer_friendly_messages: messages", messages("messages")),
  row(
    "7 consumer_friendly_messages: messages",
    "not an object",
    messages("messages"),
    {},
    { Location: null },
    {
      path: "consumer_friendly_messages.messages.Location",
    },
  ),
  missing("7 consumer_friendly_messages: languages per message", messages("messages", "Location", "languages")),
  row(
    "7 consumer_friendly_messages: en-us",
    "upper case",
    languages(),
    { "en-us": {} },
    { "EN-US": {} },
    {
      path: written(languages("en-us")),
    },
  ),
  row("7 consumer_friendly_messages: languages per message", "500", languages(), tongues(500), tongues(501), regular),
  row("7 consumer_friendly_messages: languages per message", "600", languages(), tongues(500), tongues(601)),
  row("7 consumer_friendly_messages: languages per message", "a null language", languages("de-de"), {}, null),
  ...["line1", "line2", "tts", "label", "textBody"].flatMap((name) => [
    row("7 consumer_friendly_messages: texts", `empty ${name}`, english(name), "x", ""),
    row("7 consumer_friendly_messages: texts", `long ${name}`, english(name), "x".repeat(65535), "x".repeat(65536)),
    nullAt("7 consumer_friendly_messages: texts", english(name)),
  ]),
];

const struct = (params: unknown) => ({ name: "s", key: "s", type: "Struct", mandatory: true, params });
const plain = { name: "p", key: "p", type: "Integer", mandatory: true };
const defaultValue = (type: string, value: unknown, limits: object = {}) => ({
  ...plain,
  name: "cabinScent",
  type,
  defvalue: value,
  ...limits,
});
const asDefault = (about: string, good: unknown, bad: unknown) =>
  row("8 vehicle_data: defvalue", about, item(), good, bad, { path: written(item("defvalue")) });

const section8: readonly Row[] = [
  row(
    "8 vehicle_data",
    "null clears custom items",
    ["vehicle_data"],
    withItems([defaultValue("String", "")]),
    null,
    danger,
  ),
  row(
    "8 vehicle_data: schema_version and schema_items",
    "one alone",
    ["vehicle_data"],
    withItems([defaultValue("String", "")]),
    { schema_version: "1" },
  ),
  row(
    "8 vehicle_data: schema_version",
    "100 bytes",
    ["vehicle_data", "schema_version"],
    "1".repeat(100),
    "1".repeat(101),
  ),
  nullAt("8 vehicle_data: schema_version", ["vehicle_data", "schema_version"]),
  row(
    "8 vehicle_data: schema_items",
    "at most 255",
    ["vehicle_data", "schema_items"],
    itemsNamed(255),
    itemsNamed(256),
  ),
  nullAt("8 vehicle_data: schema_items", ["vehicle_data", "schema_items"]),
  ...["name", "key"].flatMap((name) => [
    missing("8 vehicle_data: name, key", item(name)),
    nullAt("8 vehicle_data: name, key", item(name)),
    only("8 vehicle_data: name, key", `empty ${name}`, item(name), ""),
    only("8 vehicle_data: name, key", `${name} of 256 bytes`, item(name), bytes256),
    ...Array.from(" \t\n\v\f\r!@#$%^&*").map((sign) =>
      only("8 vehicle_data: name, key", `${JSON.stringify(sign)} in ${name}`, item(name), `cabin${sign}Scent`),
    ),
  ]),
  row("8 vehicle_data: name, key", "255 bytes", item("key"), bytes255, bytes256),
  missing("8 vehicle_data: type", item("type")),
  row(
    "8 vehicle_data: type",
    "unknown word",
    item(),
    { ...plain, name: "cabinScent", type: "Smell" },
    { ...plain, type: null },
    {
      path: written(item("type")),
    },
  ),
  missing("8 vehicle_data: mandatory", item("mandatory")),
  row("8 vehicle_data: mandatory", "wrong type", item("mandatory"), true, "true"),
  only("8 vehicle_data: mandatory", "nested", ["vehicle_data", "schema_items", 0, "params", 0, "mandatory"], null),
  row("8 vehicle_data: params", "Struct without", ["vehicle_data", "schema_items", 0], struct([plain]), struct([]), {
    path: "vehicle_data.schema_items[0].params",
  }),
  missing("8 vehicle_data: params", ["vehicle_data", "schema_items", 0, "params"]),
  only("8 vehicle_data: params", "of another type", item("params"), [plain]),
  only("8 vehicle_data: params", "empty, of another type", item("params"), [], danger),
  nullAt("8 vehicle_data: params", item("params")),
  row(
    "8 vehicle_data: name, key",
    "struct in a struct",
    ["vehicle_data", "schema_items", 0],
    struct([struct([plain])]),
    struct([struct([{ ...plain, key: "" }])]),
    {
      path: "vehicle_data.schema_items[0].params[0].params[0].key",
    },
  ),
  row("8 vehicle_data: minvalue, maxvalue", "least", item("minvalue"), -2147483647, -2147483648),
  row("8 vehicle_data: minvalue, maxvalue", "greatest", item("maxvalue"), 2147483647, 2147483648),
  row("8 vehicle_data: minvalue, maxvalue", "text", item("maxvalue"), 5.5, "5"),
  ...["minsize", "maxsize", "minlength", "maxlength"].flatMap((name) => [
    row(
      "8 vehicle_data: minsize, maxsize, minlength, maxlength",
      `greatest ${name}`,
      item(name),
      2147483647,
      2147483648,
    ),
    row("8 vehicle_data: minsize, maxsize, minlength, maxlength", `negative ${name}`, item(name), 0, -1),
    row("8 vehicle_data: minsize, maxsize, minlength, maxlength", `fraction in ${name}`, item(name), 1, 1.5),
    nullAt("8 vehicle_data: minsize, maxsize, minlength, maxlength", item(name)),
  ]),
  ...["array", "removed", "deprecated"].map((name) =>
    row("8 vehicle_data: array, removed, deprecated", name, item(name), true, "true"),
  ),
  ...["since", "until"].map((name) => row("8 vehicle_data: since, until", name, item(name), "8.0", 8)),
  asDefault("Integer as text", defaultValue("Integer", "-5"), defaultValue("Integer", "+5")),
  asDefault("Integer with exponent", defaultValue("Integer", 5), defaultValue("Integer", "5e0")),
  asDefault(
    "Integer below minvalue",
    defaultValue("Integer", 0, { minvalue: 0 }),
    defaultValue("Integer", -1, { minvalue: 0 }),
  ),
  asDefault(
    "Float above maxvalue",
    defaultValue("Float", "2.5", { maxvalue: 2.5 }),
    defaultValue("Float", 2.6, { maxvalue: 2.5 }),
  ),
  asDefault("Boolean", defaultValue("Boolean", "true"), defaultValue("Boolean", "yes")),
  asDefault(
    "String below minsize",
    defaultValue("String", "ä", { minsize: 2 }),
    defaultValue("String", "a", { minsize: 2 }),
  ),
  asDefault("String of null", defaultValue("String", null), defaultValue("String", null, { minsize: 1 })),
  asDefault("Integer of null", defaultValue("Smell", null), defaultValue("Integer", null)),
  asDefault(
    "Struct",
    { ...struct([plain]), name: "cabinScent" },
    { ...struct([plain]), name: "cabinScent", defvalue: "" },
  ),
  asDefault("a list ends the process", defaultValue("Smell", "any"), defaultValue("Smell", [])),
  only("8 vehicle_data: item that is not an object", "ends the process", item(), null),
  only("8 usage_and_error_counts, device_data", "even empty", ["usage_and_error_counts"], {}),
  only("8 usage_and_error_counts, device_data", "even null", ["device_data"], null),
  only("8 module_meta", "even empty", ["module_meta"], {}, external),
  only("8 module_meta", "not an object", ["module_meta"], null, regular),
  only(
    "8 module_meta",
    "out of range",
    ["module_meta"],
    { ignition_cycles_since_last_exchange: 65536 },
    {
      ...regular,
      path: "module_meta.ignition_cycles_since_last_exchange",
    },
  ),
];

const sectionsOfTheTable: readonly Row[] = [
  missing("4 app_policies", ["app_policies"]),
  nullAt("4 app_policies", ["app_policies"]),
  missing("5 functional_groupings", ["functional_groupings"]),
  nullAt("5 functional_groupings: number of groups", ["functional_groupings"]),
  missing("6 module_config", ["module_config"]),
  nullAt("6 module_config", ["module_config"]),
];

export const rows: readonly Row[] = [
  ...section1,
  ...section3,
  ...section4,
  ...section5,
  ...section6,
  ...section7,
  ...section8,
  ...sectionsOfTheTable,
];
