import {
  app,
  bytes256,
  config,
  corrected,
  danger,
  device,
  external,
  fixedEntries,
  group,
  missing,
  policies,
  regular,
  row,
  rpc,
  written,
  type Row,
} from "./row";

export const section1: readonly Row[] = [
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

export const section3: readonly Row[] = [
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
