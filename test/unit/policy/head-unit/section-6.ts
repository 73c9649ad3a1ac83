import { manyOf } from "@/test/support/valid-table";
import { config, danger, external, first, regular, rowsOf, second, words, type Row } from "./row";

const { missing, nullAt, only, row } = rowsOf("6 module_config");
const urls = { default: ["0123456789"] };

export const section6: readonly Row[] = [
  ...(
    [
      ["exchange_after_x_ignition_cycles", 255],
      ["exchange_after_x_days", 255],
      ["exchange_after_x_kilometers", 2147483647],
      ["timeout_after_x_seconds", 65535],
    ] as const
  ).flatMap(([name, greatest]) => [
    row(name, "greatest", config(name), greatest, greatest + 1),
    row(name, "fraction", config(name), JSON.parse("30.0"), 30.5),
    row(name, "text", config(name), 1, "30"),
    row(name, "negative", config(name), 1, -1),
    row(name, "zero", config(name), 1, 0, { ...danger, ...(name === "timeout_after_x_seconds" && regular) }),
    nullAt(name, config(name)),
    missing(name, config(name)),
  ]),
  row("seconds_between_retries", "at most 5", config("seconds_between_retries"), [1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]),
  row("seconds_between_retries", "1 to 1000", config("seconds_between_retries"), [1, 1000], [0, 1], first),
  row("seconds_between_retries", "above 1000", config("seconds_between_retries"), [1000], [1, 1001], second),
  missing("seconds_between_retries", config("seconds_between_retries")),
  nullAt("seconds_between_retries", config("seconds_between_retries")),
  missing("endpoints", config("endpoints")),
  nullAt("endpoints", config("endpoints")),
  row("endpoints", "no service", config("endpoints"), { "0x07": urls }, {}),
  row(
    "endpoints",
    "255 services",
    config("endpoints"),
    { "0x07": urls, ...manyOf(254, () => urls) },
    { "0x07": urls, ...manyOf(255, () => urls) },
  ),
  row("endpoints", "no default list", config("endpoints", "queryAppsUrl"), urls, { app: ["0123456789"] }),
  row("endpoints", "short URL", config("endpoints", "queryAppsUrl", "default"), ["0123456789"], ["012345678"], first),
  row("endpoints", "no URL", config("endpoints", "queryAppsUrl", "default"), ["0123456789"], []),
  row(
    "endpoints",
    "4 URLs",
    config("endpoints", "queryAppsUrl", "default"),
    words(3, "https://x.test/"),
    words(4, "https://x.test/"),
  ),
  missing('endpoints["0x07"]', config("endpoints", "0x07"), danger),
  row(
    "endpoint_properties",
    "no version",
    config("endpoint_properties"),
    { "0x04": 1 },
    { custom_vehicle_data_mapping_url: {} },
    { below: ".custom_vehicle_data_mapping_url.version" },
  ),
  row(
    "endpoint_properties",
    "no object",
    config("endpoint_properties"),
    {},
    { custom_vehicle_data_mapping_url: "1" },
    { below: ".custom_vehicle_data_mapping_url" },
  ),
  row(
    "endpoint_properties",
    "100 bytes",
    config("endpoint_properties"),
    { x: { version: "1".repeat(100) } },
    { x: { version: "1".repeat(101) } },
    { below: ".x.version" },
  ),
  row(
    "endpoint_properties",
    "255 entries",
    config("endpoint_properties"),
    manyOf(255, () => ({})),
    manyOf(256, () => ({})),
  ),
  nullAt("endpoint_properties", config("endpoint_properties")),
  missing("notifications_per_minute_by_priority", config("notifications_per_minute_by_priority")),
  ...["notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority"].flatMap((name) => [
    row(name, "range", config(name), { NORMAL: 255 }, { NORMAL: 256 }, { below: ".NORMAL" }),
    row(name, "a null count", config(name), {}, { NONE: null }, { below: ".NONE" }),
    nullAt(name, config(name)),
  ]),
  row("certificate", "65,535 bytes", config("certificate"), "x".repeat(65535), "x".repeat(65536)),
  nullAt("certificate", config("certificate")),
  ...["vehicle_make", "vehicle_model"].flatMap((name) => [
    row("vehicle_make, vehicle_model", name, config(name), "x".repeat(100), "x".repeat(101)),
    row("vehicle_make, vehicle_model", `empty ${name}`, config(name), "x", "", regular),
  ]),
  row("vehicle_year", "above 4 bytes", config("vehicle_year"), "2026", "12026"),
  row("vehicle_year", "below 4 bytes", config("vehicle_year"), "2026", "26", regular),
  ...["preloaded_pt", "preloaded_date"].map((name) =>
    only("preloaded_pt, preloaded_date", name, config(name), false, external),
  ),
  ...["lock_screen_dismissal_enabled", "full_app_id_supported"].flatMap((name) => [
    row("lock_screen_dismissal_enabled, full_app_id_supported", name, config(name), true, 1),
    nullAt("lock_screen_dismissal_enabled, full_app_id_supported", config(name)),
  ]),
  only("endpoints", "not a text", config("endpoints", "queryAppsUrl", "default", 0), 5),
  only("endpoints", "a service without lists", config("endpoints", "queryAppsUrl"), {}),
  row(
    "endpoints",
    "at most 255 lists",
    config("endpoints", "queryAppsUrl"),
    { ...urls, ...manyOf(254, () => ["0123456789"]) },
    { ...urls, ...manyOf(255, () => ["0123456789"]) },
  ),
];
