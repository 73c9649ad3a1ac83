import { app, config, device, external, fullEntry, messages, only, policies, put, row, rpc, type Row } from "./row";

const stranded = { severity: "stranded", ...external } as const;
const nul = (about: string, path: Row["reported"]["path"], good: unknown, bad: unknown): Row =>
  row("C10 NUL", about, path, good, bad, stranded);

/** What head units of the strict build take, and never ask for another policy (rules C6 to C11). */
export const strandedRows: readonly Row[] = [
  row("C6 handled_rpcs", "none", app("app_services", "MEDIA", "handled_rpcs"), [{ function_id: 0 }], [], stranded),
  row("C7 seconds_between_retries", "none", config("seconds_between_retries"), [1], [], stranded),
  row("C8 groups", "an app", app("groups"), ["Base"], ["Gone", "base"], stranded),
  row("C8 groups", "device", device("groups"), ["Base"], ["Gone"], stranded),
  row("C8 groups", "default", policies("default", "groups"), ["Base"], ["Gone"], stranded),
  row("C9 schema_version", "empty", ["vehicle_data", "schema_version"], "1", "", stranded),
  nul("schema_version", ["vehicle_data", "schema_version"], "1", "\x001"),
  nul("a nickname", app("nicknames", 0), "Roadtune", "\0"),
  nul("an address", config("endpoints", "0x07", "default", 0), "https://a.example", "https://\0a.example"),
  nul("a text", messages("messages", "Location", "languages", "en-us", "label"), "Position", "Pos\0ition"),
  nul("a name in groups", app("groups", 1), "Location", "Loc\0ation"),
  nul("a parameter", rpc("parameters", 0), "gps", "gps\0"),
  only("C10 NUL", "an app id", policies("44444444\0aa"), "default", {
    ...stranded,
    path: String.raw`app_policies["44444444\u0000aa"]`,
  }),
  only(
    "C10 NUL",
    "a group's name",
    ["functional_groupings", "\0"],
    { rpcs: null },
    {
      ...stranded,
      path: String.raw`functional_groupings["\u0000"]`,
    },
  ),
  row("C11 fixed entry", "default", policies("default"), fullEntry, "default", stranded),
  row("C11 fixed entry", "pre_DataConsent", policies("pre_DataConsent"), fullEntry, "default", stranded),
  // The process ends.
  {
    ...row("8 vehicle_data: item that is not an object", "C12, a text", ["vehicle_data", "schema_items"], [], ["gps"]),
    accepted: put(["extra"], 1),
    path: "vehicle_data.schema_items[0]",
  },
];
