import { describe, expect, it } from "vitest";
import { fromPreloaded, toPreloaded } from "@/lib/exchange/preloaded";
import { exchangeDocument } from "@/lib/exchange/schema";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { checkPreloadedTable } from "@/lib/policy/head-unit/preloaded-check";
import { moduleConfigBody } from "@/test/support/module-config";
import { validTable } from "@/test/support/valid-table";

const known = { languages: new Set(["en-us", "de-de"]), vehicleData: new Set(["gps"]) };
const nothing = { format: "open-policy/1" } as const;
const { endpoint_properties: _, lock_screen_dismissal_enabled: __, ...moduleConfig } = moduleConfigBody;
const counts = moduleConfig.notifications_per_minute_by_priority;
const limits = { minvalue: 1, maxvalue: 2, minsize: 3, maxsize: 4, minlength: 5, maxlength: 6 };
const limited = { name: "notes", key: "N", type: "Integer", mandatory: false, array: true, ...limits };
const table = () => ({
  module_config: {
    ...{
      preloaded_pt: true,
      preloaded_date: "2026-01-31",
      vehicle_make: "SDL",
      vehicle_year: "",
      certificate: "pem",
      mood: 1,
    },
    ...{ exchange_after_x_days: 7, seconds_between_retries: [2], timeout_after_x_seconds: "soon" },
    endpoints: {
      "0x07": { default: ["http://policies.example.com/"] },
      "0x04": {
        default: ["http://new.example.com/", "http://second.example.com/"],
        an_app: ["http://own.example.com/"],
      },
      "0x99": { default: ["http://other.example.com/"] },
    },
    notifications_per_minute_by_priority: { EMERGENCY: 9 },
  },
  functional_groupings: {
    "Base-4": {
      rpcs: { Show: { hmi_levels: ["FULL"] }, Alert: { hmi_levels: ["FULL"], parameters: ["softButtons"] } },
    },
    Location: {
      user_consent_prompt: "Location",
      disallowed_by_external_consent_entities_on: [],
      disallowed_by_external_consent_entities_off: [{ entityType: 1, entityID: 2 }],
      rpcs: {
        GetVehicleData: { hmi_levels: ["FULL"], parameters: ["gps"] },
        OnVehicleData: { hmi_levels: ["FULL"] },
        Speak: { hmi_levels: [] },
        SubscribeVehicleData: { hmi_levels: [], parameters: ["gps"] },
      },
    },
    Odd: { mood: 1, rpcs: { Show: { hmi_levels: ["SOMETIMES", "FULL"] }, Alert: { hmi_levels: ["SOMETIMES"] } } },
    Torn: { rpcs: {}, user_consent_prompt: 5 },
    Empty: { rpcs: null },
  },
  consumer_friendly_messages: {
    version: "001.001.001",
    messages: {
      Location: {
        languages: {
          "en-us": {
            tts: "a",
            line1: "Where",
            line2: "b",
            textBody: "The long text",
            label: "c",
            mood: "gay",
            line3: 1,
          },
          "es-en": { line1: "?" },
        },
      },
      Odd: { languages: { "en-us": { label: 5 } } },
    },
  },
  app_policies: {
    default: { groups: ["Base-4"], priority: "NONE" },
    device: { groups: ["Empty"] },
    "8675309": { groups: ["Base-4"] },
  },
  vehicle_data: {
    schema_version: "0.0.2",
    schema_items: [
      { name: "gps", key: "OEM_GPS", type: "Struct", mandatory: false, params: [] },
      { name: "scent", key: "S", type: "Struct", mandatory: true, since: "8.0", params: [limited] },
      { name: "torn", key: "T" },
    ],
  },
  module_meta: {},
});

describe("fromPreloaded", () => {
  const stored = {
    ...nothing,
    module_config: moduleConfig,
    groups: [{ name: "Base-4", description: "ours", is_widget_group: true, is_default: false, rpcs: [] }],
    messages: [{ message_category: "Location", languages: { "de-de": { line1: "Wo" } } }],
  };
  const { document, left } = fromPreloaded(table(), stored, known);

  it("X3: takes groups with their RPCs, prompts and the entries that they are granted by, and keeps what no table tells", () => {
    expect(() => exchangeDocument.parse(document)).not.toThrow();
    expect(document.groups?.map(({ name }) => name)).toEqual(["Base-4", "Location", "Odd", "Empty"]);
    expect(document.groups?.[0]).toEqual({
      name: "Base-4",
      description: "ours",
      is_widget_group: true,
      is_default: true,
      is_device: false,
      encryption_required: false,
      rpcs: [
        { name: "Show", hmi_levels: ["FULL"] },
        { name: "Alert", hmi_levels: ["FULL"] },
      ],
    });
    expect(document.groups?.[1]?.rpcs).toEqual([
      { name: "GetVehicleData", hmi_levels: ["FULL"], parameters: ["gps"] },
      { name: "OnVehicleData", hmi_levels: ["FULL"] },
    ]);
    expect(document.groups?.[2]?.rpcs).toEqual([{ name: "Show", hmi_levels: ["FULL"] }]);
    expect(document.groups?.[3]).toMatchObject({ is_device: true, rpcs: [] });
  });

  it("X3: takes texts under the names of tables in languages that are known, and keeps those that the table does not have", () => {
    const english = { tts: "a", line1: "Where", line2: "b", text_body: "The long text", label: "c" };
    expect(document.messages).toEqual([
      { message_category: "Location", languages: { "de-de": { line1: "Wo" }, "en-us": english } },
      { message_category: "Odd", languages: { "en-us": {} } },
    ]);
  });

  it("X3: takes custom vehicle data under the names of tables, and no items that the RPC specification has", () => {
    const own = { min_value: 1, max_value: 2, min_size: 3, max_size: 4, min_length: 5, max_length: 6 };
    const notes = { name: "notes", key: "N", type: "Integer", mandatory: false, array: true, ...own };
    const scent = { name: "scent", key: "S", type: "Struct", mandatory: true, params: [notes] };
    expect(document.vehicle_data).toEqual([scent]);
  });

  it("X3: takes the module config member by member; what the table does not say, or says wrongly, stays", () =>
    expect(document.module_config).toEqual({
      ...moduleConfig,
      exchange_after_x_days: 7,
      seconds_between_retries: [2],
      endpoints: { ...moduleConfig.endpoints, "0x04": "http://new.example.com/" },
      notifications_per_minute_by_priority: { ...counts, EMERGENCY: 9 },
    }));

  it("X3: names every member that is not imported, and tells losses from what head units would not notice", () => {
    const paths = (isLoss: boolean) => left.flatMap((one) => (one.isLoss === isLoss ? one.path : [])).toSorted();
    const locations = "functional_groupings.Location";
    const english = "consumer_friendly_messages.messages.Location.languages.en-us";
    expect(paths(false)).toEqual(
      [
        "module_meta",
        ...["vehicle_data.schema_version", "vehicle_data.schema_items"],
        "app_policies.default.priority",
        "app_policies.8675309",
        `${locations}.disallowed_by_external_consent_entities_on`,
        `${locations}.rpcs.Speak`,
        "functional_groupings.Odd.mood",
        "consumer_friendly_messages.version",
        "consumer_friendly_messages.messages.Location.languages.es-en",
        ...[`${english}.mood`, `${english}.line3`],
        ...["preloaded_pt", "preloaded_date", "vehicle_year", "mood"].map((name) => `module_config.${name}`),
        'module_config.endpoints["0x07"]',
      ].toSorted(),
    );
    expect(paths(true)).toEqual(
      [
        "functional_groupings.Base-4.rpcs.Alert.parameters",
        `${locations}.disallowed_by_external_consent_entities_off`,
        `${locations}.rpcs.OnVehicleData.parameters`,
        `${locations}.rpcs.SubscribeVehicleData`,
        "functional_groupings.Odd.rpcs.Show.hmi_levels",
        ...["functional_groupings.Odd.rpcs.Alert", "functional_groupings.Odd.rpcs.Alert.hmi_levels"],
        "functional_groupings.Torn",
        "consumer_friendly_messages.messages.Odd.languages.en-us.label",
        ...["vehicle_data.schema_items.scent.since", "vehicle_data.schema_items.torn"],
        ...["vehicle_make", "certificate", "timeout_after_x_seconds"].map((name) => `module_config.${name}`),
        'module_config.endpoints["0x04"].an_app',
        'module_config.endpoints["0x04"].default[1]',
        'module_config.endpoints["0x99"]',
      ].toSorted(),
    );
    for (const { reason } of left) expect(reason).not.toBe("");
  });

  it("X3: takes RPC priorities as a whole from their own section only; wrong ones are named, and stay", () => {
    const before = { ...moduleConfig, rpc_priority_table: { rpc_priority: { "UI.Slider": 3 } } };
    const imported = (value: object) => {
      const read = fromPreloaded({ functional_groupings: {}, ...value }, { ...stored, module_config: before }, known);
      return [
        read.document.module_config?.rpc_priority_table,
        read.left.map(({ path, isLoss }) => `${path} ${isLoss}`),
      ];
    };
    const priorities = { rpc_priority: { "UI.Alert": 1 } };
    expect(imported({ rpc_priority_table: priorities })).toEqual([priorities, []]);
    expect(imported({ rpc_priority_table: {} })).toEqual([{}, []]);
    for (const wrong of [null, { rpc_priority: { "UI.Alert": "1" } }, { rpc_prio: {} }]) {
      expect(imported({ rpc_priority_table: wrong })).toEqual([
        before.rpc_priority_table,
        ["rpc_priority_table false"],
      ]);
    }
    expect(imported({ module_config: { rpc_priority_table: priorities } })).toEqual([
      before.rpc_priority_table,
      ["module_config.rpc_priority_table false"],
    ]);
  });

  it("X3: bears any value, and then says nothing", () => {
    for (const value of [null, [], "table", 5, {}, { app_policies: 3, module_config: [], functional_groupings: "x" }]) {
      const { document: empty } = fromPreloaded(value, nothing, known);
      expect(empty).toEqual({ ...nothing, groups: [], messages: [] });
    }
  });
});

describe("tables that are built in", () => {
  const built = () => {
    const { module_config: config, ...table } = structuredClone(validTable) as any;
    const { vehicle_make: _make, vehicle_model: _model, vehicle_year: _year, ...members } = config;
    return toPreloaded({ ...table, module_config: members }, "2026-01-31") as any;
  };
  const refused = (value: unknown) => checkPreloadedTable(value).filter(({ severity }) => severity === "refused");

  it("X3: one that head units take as an update is taken as a preloaded one, by both builds", () => {
    expect(refused(built())).toEqual([]);
    expect(built().module_config).toMatchObject({ preloaded_pt: true, preloaded_date: "2026-01-31" });
    expect(built().module_config).not.toHaveProperty("certificate");
    const undated = toPreloaded(validTable as any, null).module_config;
    expect(undated).toMatchObject({ preloaded_pt: true });
    expect(undated).not.toHaveProperty("preloaded_date");
    expect(checkPolicyTable(built()).filter(({ severity }) => severity === "refused")).toHaveLength(2);
  });

  it("finding K8: a date is told: the regular build returns to this table at every start", () => {
    const told = (table: unknown) =>
      checkPreloadedTable(table).flatMap(({ build, severity, path }) =>
        path === "module_config.preloaded_date" ? [`${build} ${severity}`] : [],
      );
    expect(told(built())).toEqual(["regular danger"]);
    const { preloaded_date: _, ...config } = built().module_config;
    expect(told({ ...built(), module_config: config })).toEqual([]);
  });

  it("finding K4: without messages the regular build does not start", () => {
    const { consumer_friendly_messages: _, ...table } = built();
    expect(refused(table).map(({ build, path }) => [build, path])).toEqual([["regular", "consumer_friendly_messages"]]);
  });

  it("X3: what an update would be freed of is refused: priorities, HMI levels and modules that are not known", () => {
    const change = (edit: (one: any) => void) => {
      // As a file: no object is in two places.
      const one = JSON.parse(JSON.stringify(built()));
      edit(one);
      return refused(one).map(({ path }) => path);
    };
    const [group = ""] = Object.keys(built().functional_groupings);
    expect(change((one) => (one.app_policies.default.priority = "HIGH"))).toEqual(["app_policies.default.priority"]);
    expect(change((one) => (one.app_policies.default.moduleType = ["WINGS", "RADIO"]))).toHaveLength(1);
    expect(
      change((one) => (one.functional_groupings[group].rpcs = { Show: { hmi_levels: ["SOME", "FULL"] } })),
    ).toHaveLength(1);
    expect(change((one) => (one.module_config.vehicle_make = "SDL"))).toEqual(["module_config.vehicle_make"]);
    expect(change((one) => (one.module_config.preloaded_date = "31 January 2026"))).toEqual([
      "module_config.preloaded_date",
    ]);
    const many = Object.keys(built().functional_groupings).concat("One-more");
    expect(change((one) => (one.app_policies.default.groups = many))).toContain("app_policies.default.groups");
  });
});
