import { manyOf } from "@/test/support/valid-table";
import { config, danger, external, missing, nullAt, only, regular, row, words, type Row } from "./row";

export const section6: readonly Row[] = [
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
    [1, 1, 1, 1, 1],
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
  only("6 module_config: endpoints", "not a text", config("endpoints", "queryAppsUrl", "default", 0), 5),
  only("6 module_config: endpoints", "a service without lists", config("endpoints", "queryAppsUrl"), {}),
  row(
    "6 module_config: endpoints",
    "at most 255 lists",
    config("endpoints", "queryAppsUrl"),
    { default: ["0123456789"], ...manyOf(254, () => ["0123456789"]) },
    { default: ["0123456789"], ...manyOf(255, () => ["0123456789"]) },
  ),
];
