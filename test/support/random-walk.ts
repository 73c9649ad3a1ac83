/** Hostile values among valid ones, and names from small pools so that records interact. */
import fc from "fast-check";
import { defaultRpcPriorities } from "@/lib/vocabulary/rpc-priorities";
import { approvalStatuses, hmiLevels, hmiTextLevels } from "@/lib/vocabulary/terms";
import { aDirectoryApplication } from "@/test/support/directory-records";
import { moduleConfigBody } from "@/test/support/module-config";

/** One step; `route` is its method and path, `directory` delivers records of the app directory. */
export type Step =
  | { readonly kind: "send"; readonly route: string; readonly body: object }
  | { readonly kind: "promote"; readonly family: "groups" | "messages"; readonly mask: number }
  | { readonly kind: "decide"; readonly nth: number; readonly body: object }
  | { readonly kind: "flag"; readonly nth: number; readonly flag: "auto" | "administrator"; readonly isOn: boolean }
  | { readonly kind: "directory"; readonly records: readonly object[]; readonly isAutomatic: boolean };

const from = <T>(values: readonly T[]) => fc.constantFrom(...values);
const rarely = fc.integer({ min: 0, max: 9 }).map((value) => value === 0);
const often = fc.integer({ min: 0, max: 9 }).map((value) => value > 2);
/** The other one in one of `weight` + 1 cases. */
const mostly = <T, Other>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<Other>, weight = 5) =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: other, weight: 1 });
/** More than a table takes. */
const many = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
const odd = [
  "10",
  "__proto__",
  "constructor",
  "Ä",
  '"quoted"',
  "\u2028",
  "日".repeat(85),
  "a\ud800b",
  "",
  " ",
  "x".repeat(256),
];

const groupNames = [
  "Base-4",
  "Location-1",
  "Notifications",
  "Emergency-1",
  "RemoteControl",
  "Tried-1",
  "tried-1",
  ...odd,
];
const prompts = ["Location", "Emergency", "DrivingCharacteristics", "Tried", "Nowhere"];
const rpcNames = [
  "Show",
  "Alert",
  "GetVehicleData",
  "OnVehicleData",
  "SubscribeVehicleData",
  "Speak",
  "Unheard",
  ...odd,
];
const parameters = ["gps", "speed", "cabinScent", "clusterModeStatus", "level", ...odd];
const selected = <T extends object>(value: T) => ({ ...value, selected: true });

const group = fc
  .record({
    name: from(groupNames),
    is_default: rarely,
    is_pre_data_consent: rarely,
    is_device: rarely,
    is_app_provider_group: rarely,
    is_administrator_group: rarely,
    is_widget_group: rarely,
    is_proprietary_group: rarely,
    encryption_required: fc.boolean(),
    is_deleted: rarely,
    user_consent_prompt: fc.option(from(prompts)),
    rpcs: fc.uniqueArray(
      fc.record({
        name: from(rpcNames),
        selected: often,
        hmi_levels: fc.shuffledSubarray([...hmiLevels]).map((levels) => levels.map((value) => selected({ value }))),
        parameters: mostly(fc.shuffledSubarray(parameters), fc.constant(many(120, (at) => `p${at}`)), 9).map((keys) =>
          keys.map((key) => selected({ key })),
        ),
      }),
      { selector: ({ name }) => name, maxLength: 4 },
    ),
  })
  .map((body) => ({ ...body, description: null }));

const text = fc.option(from(["a", "", "日".repeat(100), "x".repeat(65_535), "x".repeat(65_536), "a\udc00"]));
const message = fc.record({
  message_category: from([...prompts, ...odd]),
  is_deleted: rarely,
  languages: fc.uniqueArray(
    fc.record({
      language_id: from(["en-us", "en-us", "de-de", "fr-ca", "EN-US", "xx-xx"]),
      selected: often,
      ...{ line1: text, line2: text, tts: text, text_body: text, label: text },
    }),
    { selector: ({ language_id }) => language_id, minLength: 1, maxLength: 4 },
  ),
});

const bound = fc.option(from([0, 1, -1, 40, 2_147_483_647, 2_147_483_648, -2_147_483_648, 1e300, "7", 0.5]));
const nodeMembers = {
  name: from(["cabinScent", "level", "speed", "zone", ...odd]),
  key: from(["OEM_A", "OEM_B", "a b", ...odd]),
  mandatory: fc.boolean(),
  array: from([true, false, null]),
  ...{ min_length: bound, max_length: bound, min_size: bound, max_size: bound, min_value: bound, max_value: bound },
};
const leaf = fc.record({ ...nodeMembers, type: from(["Integer", "Float", "String", "Boolean", "PRNDL"]) });
const manyLeaves = fc
  .integer({ min: 250, max: 260 })
  .map((count) => many(count, (at) => ({ name: `n${at}`, key: `K${at}`, type: "Integer" })));
const vehicleData = fc.oneof(
  fc.tuple(leaf, rarely).map(([node, is_deleted]) => ({ ...node, is_deleted })),
  fc
    .tuple(
      fc.record({ name: nodeMembers.name, key: nodeMembers.key, is_deleted: rarely }),
      mostly(fc.array(leaf, { maxLength: 4 }), manyLeaves, 9),
    )
    .map(([root, params]) => ({ ...root, type: "Struct", params })),
);

const url = from([
  "https://a.example/b",
  "http://a.b",
  "",
  "https://e.com/" + "x".repeat(241),
  "https://e.com/" + "x".repeat(300),
]);
const rate = from([0, 100, 255, 256, -1, 1.5]);
const moduleConfig = fc
  .record(
    {
      exchange_after_x_ignition_cycles: rate,
      exchange_after_x_kilometers: from([0, 1800, 2_147_483_647, 2_147_483_648]),
      timeout_after_x_seconds: from([0, 60, 65_535, 65_536]),
      seconds_between_retries: from([[], [1], [1, 1000, 5, 25, 125], [0], [1001], [1, 2, 3, 4, 5, 6]]),
      endpoints: fc.record({
        "0x04": url,
        queryAppsUrl: url,
        lock_screen_icon_url: url,
        custom_vehicle_data_mapping_url: url,
      }),
      endpoint_properties: from(["1", "x".repeat(100), "x".repeat(101), ""]).map((version) => ({
        custom_vehicle_data_mapping_url: { version },
        queryAppsUrl: { version },
      })),
      lock_screen_dismissal_enabled: fc.boolean(),
      rpc_priority_table: from([null, { rpc_priority: {} }, { rpc_priority: { "UI.Alert": 1 } }, defaultRpcPriorities]),
    },
    { requiredKeys: [] },
  )
  .map((members) => ({ ...moduleConfigBody, ...members }));

const appUuids = [
  "11111111-aaaa-4bbb-8ccc-0000000000f1",
  "22222222-AAAA-4BBB-8CCC-0000000000f2",
  "short",
  "日本",
  "__proto__",
];
const names = (most: number) =>
  fc.oneof(
    {
      arbitrary: fc.uniqueArray(from(["Music", "日".repeat(100), "😀".repeat(64), "a\ud800b", "", "x".repeat(256)])),
      weight: 5,
    },
    { arbitrary: fc.integer({ min: 250, max: most }).map((count) => many(count, (at) => `n${at}`)), weight: 1 },
    { arbitrary: from([null, 7, "Music", [null, 7]]), weight: 1 },
  );
const address = from([
  null,
  "",
  "https://e.com/a",
  "x".repeat(255),
  "x".repeat(256),
  "日".repeat(90),
  "x".repeat(70_000),
  "a\udc00",
  7,
]);
const level = from([...hmiTextLevels, "HMI_FULL", null, 4]);
const record = fc
  .record({
    uuid: from(appUuids),
    version_id: fc.integer({ min: 1, max: 4 }),
    display_names: names(300),
    ...{ icon_url: address, cloud_endpoint: address, cloud_transport_type: address, ca_certificate: address },
    default_hmi_level: from(hmiTextLevels),
    ...{ can_background_alert: fc.boolean(), can_steal_focus: fc.boolean(), can_manage_widgets: fc.boolean() },
    categories: mostly(
      fc.array(fc.record({ id: fc.nat(20), name: from(["MEDIA", "SYSTEM", "", "X".repeat(300), null, "a\ud800"]) })),
      fc.constant(many(300, (at) => ({ id: at + 1, name: "MEDIA" }))),
    ),
    permissions: mostly(
      fc.array(fc.record({ key: from([...rpcNames, ...parameters, "CLIMATE", "SEAT"]), hmi_level: level })),
      fc.constant(many(900, (at) => ({ key: `p${at}`, hmi_level: "HMI_FULL" }))),
    ),
    services: mostly(
      fc.array(fc.record({ name: from(["MEDIA", "WEATHER", ...odd]), service_names: names(300) }), { maxLength: 3 }),
      fc.constant(many(300, (at) => ({ name: `S${at}`, service_names: [] }))),
    ),
  })
  .map((members) => aDirectoryApplication({ short_uuid: null, category: null, ...members }));

const send = (route: string, body: fc.Arbitrary<object>) =>
  body.map((one): Step => ({ kind: "send", route, body: one }));
const nth = fc.nat(30);

/** The possible next steps with their weights. Publications and decisions never use `force`. */
const steps: readonly (readonly [weight: number, step: fc.Arbitrary<Step>])[] = [
  [4, send("POST /api/v1/groups", group)],
  [
    3,
    send(
      "POST /api/v1/messages",
      fc.array(message, { maxLength: 3 }).map((messages) => ({ messages })),
    ),
  ],
  [4, send("POST /api/v1/vehicle-data", vehicleData)],
  [2, send("POST /api/v1/module", moduleConfig)],
  [1, send("POST /api/v1/module/promote", fc.constant({}))],
  [2, send("POST /api/v1/vehicle-data/promote", fc.constant({}))],
  [4, fc.record({ kind: fc.constant("promote"), family: from(["groups", "messages"] as const), mask: fc.nat() })],
  [
    4,
    fc.record({
      kind: fc.constant("decide"),
      nth,
      body: fc.record({
        approval_status: from([...approvalStatuses, "ACCEPTED"]),
        blacklist: fc.option(rarely, { nil: undefined }),
      }),
    }),
  ],
  [
    1,
    fc.record({ kind: fc.constant("flag"), nth, flag: from(["auto", "administrator"] as const), isOn: fc.boolean() }),
  ],
  [
    4,
    fc.record({
      kind: fc.constant("directory"),
      records: fc.array(record, { minLength: 1, maxLength: 3 }),
      isAutomatic: often,
    }),
  ],
];
export const randomStep = fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const sent = from([
  {},
  { enabled: true, auth_token: "t" },
  { auth_token: "a\ud800b", enabled: 1 },
  "default",
  null,
  { auth_token: "x".repeat(65_536) },
]);
const spelled = from<(id: string) => string>([(id) => id, (id) => id.toUpperCase(), (id) => id.toLowerCase()]);

export const randomAsking = fc.record({
  isLong: fc.boolean(),
  unknown: fc.uniqueArray(
    from([
      ...["default", "device", "pre_DataConsent", "", "__proto__", "constructor", '"', "\u2028", "Ä".repeat(300)],
      ...["\ud800", "half\udc00"],
    ]),
  ),
  /** Minimum number of requested ids, because head units accept 1,000 entries. */
  least: fc.constantFrom(0, 0, 0, 0, 0, 997, 998, 999, 1000),
  sent,
  spelled,
});
export type Asking = typeof randomAsking extends fc.Arbitrary<infer T> ? T : never;
