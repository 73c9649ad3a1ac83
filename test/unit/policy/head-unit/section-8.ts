import {
  bytes255,
  bytes256,
  corrected,
  danger,
  external,
  item,
  itemsNamed,
  regular,
  rowsOf,
  withItems,
  words,
  type Row,
} from "./row";

const { missing, nullAt, only, row } = rowsOf("8 vehicle_data");
const others = rowsOf("");
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
  row("defvalue", about, item(), good, bad, { below: ".defvalue" });

export const section8: readonly Row[] = [
  row("", "null clears custom items", ["vehicle_data"], withItems([defaultValue("String", "")]), null, danger),
  row("schema_version and schema_items", "one alone", ["vehicle_data"], withItems([defaultValue("String", "")]), {
    schema_version: "1",
  }),
  row("schema_version", "100 bytes", ["vehicle_data", "schema_version"], "1".repeat(100), "1".repeat(101)),
  nullAt("schema_version", ["vehicle_data", "schema_version"]),
  row("schema_items", "at most 255", ["vehicle_data", "schema_items"], itemsNamed(255), itemsNamed(256)),
  nullAt("schema_items", ["vehicle_data", "schema_items"]),
  ...["name", "key"].flatMap((name) => [
    missing("name, key", item(name)),
    nullAt("name, key", item(name)),
    only("name, key", `empty ${name}`, item(name), ""),
    only("name, key", `${name} of 256 bytes`, item(name), bytes256),
    ...Array.from(" \t\n\v\f\r!@#$%^&*").map((sign) =>
      only("name, key", `${JSON.stringify(sign)} in ${name}`, item(name), `cabin${sign}Scent`),
    ),
  ]),
  row("name, key", "255 bytes", item("key"), bytes255, bytes256),
  missing("type", item("type")),
  row(
    "type",
    "unknown word",
    item(),
    { ...plain, name: "cabinScent", type: "Smell" },
    { ...plain, type: null },
    { below: ".type" },
  ),
  missing("mandatory", item("mandatory")),
  row("mandatory", "wrong type", item("mandatory"), true, "true"),
  only("mandatory", "nested", ["vehicle_data", "schema_items", 0, "params", 0, "mandatory"], null),
  row("params", "Struct without", ["vehicle_data", "schema_items", 0], struct([plain]), struct([]), {
    below: ".params",
  }),
  missing("params", ["vehicle_data", "schema_items", 0, "params"]),
  only("params", "of another type", item("params"), [plain]),
  only("params", "empty, of another type", item("params"), [], danger),
  nullAt("params", item("params")),
  row(
    "name, key",
    "struct in a struct",
    ["vehicle_data", "schema_items", 0],
    struct([struct([plain])]),
    struct([struct([{ ...plain, key: "" }])]),
    { below: ".params[0].params[0].key" },
  ),
  row("minvalue, maxvalue", "least", item("minvalue"), -2147483647, -2147483648),
  row("minvalue, maxvalue", "greatest", item("maxvalue"), 2147483647, 2147483648),
  row("minvalue, maxvalue", "text", item("maxvalue"), 5.5, "5"),
  ...["minsize", "maxsize", "minlength", "maxlength"].flatMap((name) => [
    row("minsize, maxsize, minlength, maxlength", `greatest ${name}`, item(name), 2147483647, 2147483648),
    row("minsize, maxsize, minlength, maxlength", `negative ${name}`, item(name), 0, -1),
    row("minsize, maxsize, minlength, maxlength", `fraction in ${name}`, item(name), 1, 1.5),
    nullAt("minsize, maxsize, minlength, maxlength", item(name)),
  ]),
  ...["array", "removed", "deprecated"].map((name) =>
    row("array, removed, deprecated", name, item(name), true, "true"),
  ),
  ...["since", "until"].map((name) => row("since, until", name, item(name), "8.0", 8)),
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
  only("item that is not an object", "ends the process", item(), null),
  others.only("8 usage_and_error_counts, device_data", "even empty", ["usage_and_error_counts"], {}),
  others.only("8 usage_and_error_counts, device_data", "even null", ["device_data"], null),
  others.only("8 rpc_priority_table", "even empty", ["rpc_priority_table"], {}, corrected),
  others.only(
    "8 rpc_priority_table",
    "an RPC that no car knows",
    ["rpc_priority_table"],
    { rpc_priority: { "UI.Alarm": 1 } },
    { ...corrected, below: '.rpc_priority["UI.Alarm"]' },
  ),
  others.only("8 module_meta", "even empty", ["module_meta"], {}, external),
  others.only("8 module_meta", "not an object", ["module_meta"], null, regular),
  others.only(
    "8 module_meta",
    "out of range",
    ["module_meta"],
    { ignition_cycles_since_last_exchange: 65536 },
    { ...regular, below: ".ignition_cycles_since_last_exchange" },
  ),
  row(
    "type",
    "255 bytes",
    item(),
    { ...plain, name: "cabinScent", type: bytes255 },
    { ...plain, type: bytes256 },
    { below: ".type" },
  ),
  row("since, until", "255 bytes", item("since"), bytes255, bytes256),
  row(
    "params",
    "at most 255",
    ["vehicle_data", "schema_items", 0],
    struct(words(255).map((name) => ({ ...plain, name }))),
    struct(words(256).map((name) => ({ ...plain, name }))),
    { below: ".params" },
  ),
  ...Object.entries({
    ccpu_version: "x".repeat(501),
    hardware_version: "x".repeat(501),
    language: "x".repeat(251),
    wers_country_code: "x".repeat(251),
    vin: "x".repeat(251),
    pt_exchanged_at_odometer_x: 17_000_001,
    pt_exchanged_x_days_after_epoch: 65_536,
  }).map(([name, bad]) =>
    others.only("8 module_meta", name, ["module_meta"], { [name]: bad }, { ...regular, below: `.${name}` }),
  ),
];
