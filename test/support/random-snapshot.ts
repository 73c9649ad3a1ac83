/** Names come from small pools, so that records often refer to each other, collide or miss each other. */
import fc from "fast-check";
import type {
  PolicySnapshot,
  RpcSpecParam,
  SnapshotApp,
  SnapshotAppVersion,
  SnapshotGroup,
  SnapshotMessage,
  SnapshotModuleConfig,
  SnapshotPermission,
  SnapshotRpc,
  SnapshotRpcSpec,
  SnapshotService,
  SnapshotVehicleData,
  VehicleDataItem,
} from "@/lib/policy/table/snapshot";
import { priorityMapNames } from "@/lib/vocabulary/rpc-priorities";
import {
  approvalStatuses,
  hmiLevels,
  hmiTextLevels,
  appPriorities,
  hybridPreferences,
  notificationPriorities,
  permissionTypes,
  recordStatuses,
  storedEndpoints,
  type NotificationPriority,
} from "@/lib/vocabulary/terms";
import { shortenedTable } from "./answers";
import { anApp } from "./builders";
import { snapshotOf } from "./worked-example";

/** Names that break naive code: numbers are reordered in objects, and prototypes have their own members. */
const awkwardNames = ["10", "9", "__proto__", "constructor", "toString", "Ä", "ä", "a.b", '"quoted"', "\u2028"];

const rpcNames = [
  ...["Show", "Alert", "GetVehicleData", "OnVehicleData", "SubscribeVehicleData", "GetInteriorVehicleData"],
  ...["ButtonPress", "SendLocation", "zeta", "Zeta", ...awkwardNames],
];
const groupNames = ["Base", "base", "BASE", "Location", "Remote", "OemDiag", "alpha", "Zulu", ...awkwardNames];
const categories = ["Location", "VehicleInfo", "location", "Notifications", ...awkwardNames];
const customNames = ["cabinScent", "Zeppelin", "zeppelin", "alpha", "gps", "speed", ...awkwardNames];
const badNames = ["", "cabin scent", "tab\there", "at@sign", "star*", "ä".repeat(128), "new\nline"];
const parameterNames = [
  "gps",
  "speed",
  "vin",
  "info",
  "seatOccupancy",
  "turnSignal",
  "cabinScent",
  "Zeppelin",
  "alpha",
  "unheardOf",
  ...awkwardNames,
];
const moduleNames = ["CLIMATE", "SEAT"];
const serviceNames = ["MEDIA", "WEATHER", "NAVIGATION", "navigation", "7", "10"];
const permissionNames = [...rpcNames, ...parameterNames, ...moduleNames].filter(
  (name, index, all) => all.indexOf(name) === index,
);

const from = <T>(values: readonly T[]) => fc.constantFrom(...values);
const some = <T>(values: readonly T[], maxLength = values.length) => fc.shuffledSubarray([...values], { maxLength });
const rarely = fc.integer({ min: 0, max: 5 }).map((value) => value === 0);
const absentable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const shortText = fc.oneof(fc.constant(""), fc.string({ maxLength: 8, unit: "grapheme" }));
const time = fc.integer({ min: 1, max: 2_000_000_000_000 });
const looseBoolean = from([true, false, "true", "false", "", null]);
const status = from(recordStatuses);

/** Assigns the ids of records: unique, and in an order unrelated to names or statuses. */
function numbered<T extends object>(record: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<(T & { id: number })[]> {
  return fc
    .array(record, { maxLength })
    .chain((records) =>
      fc
        .uniqueArray(fc.integer({ min: 1, max: 99_999 }), { minLength: records.length, maxLength: records.length })
        .map((ids) => records.map((one, index) => ({ ...one, id: ids[index] ?? index + 1 }))),
    );
}

const rpc = (name: string): fc.Arbitrary<SnapshotRpc> =>
  fc.record({ name: fc.constant(name), levels: some(hmiLevels), parameters: some(parameterNames, 5) });

const flag = rarely;

const groups: fc.Arbitrary<SnapshotGroup[]> = numbered(
  fc.record({
    name: from(groupNames),
    status,
    isDeleted: rarely,
    isDefault: flag,
    isPreDataConsent: flag,
    isDevice: flag,
    isAppProviderGroup: flag,
    isAdministratorGroup: flag,
    isWidgetGroup: flag,
    isProprietaryGroup: flag,
    encryptionRequired: flag,
    userConsentPrompt: absentable(from(categories)),
    rpcs: some(rpcNames, 4).chain((names) => fc.tuple(...names.map(rpc))),
  }),
  16,
);
const messages: fc.Arbitrary<SnapshotMessage[]> = numbered(
  fc.record({
    category: from(categories),
    status,
    isDeleted: rarely,
    languages: fc.uniqueArray(
      fc.record({
        languageId: from(["en-us", "de-de", "es-mx", "fr-fr", "ja-jp"]),
        ...{ tts: absentable(shortText), line1: absentable(shortText), line2: absentable(shortText) },
        textBody: absentable(shortText),
        label: absentable(shortText),
      }),
      { selector: ({ languageId }) => languageId, maxLength: 4 },
    ),
  }),
  10,
);

const rate = fc.integer({ min: 0, max: 255 });
const notifications = fc
  .tuple(...notificationPriorities.map(() => fc.oneof(fc.constant(0), rate)))
  .map((rates) => Object.fromEntries(notificationPriorities.map((name, index) => [name, rates[index] ?? 0])))
  .map((map) => map as { [priority in NotificationPriority]: number });

const endpoint = fc.webUrl();
const moduleConfig = fc.record({
  exchangeAfterXIgnitionCycles: rate,
  exchangeAfterXKilometers: fc.nat(),
  exchangeAfterXDays: rate,
  timeoutAfterXSeconds: fc.integer({ min: 0, max: 65_535 }),
  secondsBetweenRetries: fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 5 }),
  lockScreenDismissalEnabled: fc.boolean(),
  endpoints: fc.record({
    "0x04": endpoint,
    queryAppsUrl: endpoint,
    lock_screen_icon_url: endpoint,
    custom_vehicle_data_mapping_url: fc.oneof(fc.constant(""), endpoint),
  }),
  endpointProperties: fc.uniqueArray(
    fc.record({
      endpoint: from(storedEndpoints),
      name: from(["version", "hash", "10", "9", "__proto__"]),
      value: shortText,
    }),
    { selector: (one) => `${one.endpoint} ${one.name}`, maxLength: 8 },
  ),
  notificationsPerMinute: notifications,
  subtleNotificationsPerMinute: notifications,
  rpcPriorityTable: fc.uniqueArray(
    fc.record({
      map: from(priorityMapNames),
      name: from(["UI.Alert", "FULL", "10", "9", "__proto__"]),
      priority: fc.nat(),
    }),
    { selector: (one) => `${one.map} ${one.name}`, maxLength: 5 },
  ),
  certificate: fc.constant(null),
  privateKey: fc.constant(null),
});

const moduleConfigs: fc.Arbitrary<SnapshotModuleConfig[]> = fc
  .tuple(moduleConfig, absentable(moduleConfig))
  .map(([published, saved]): SnapshotModuleConfig[] => [
    { ...published, id: 1, status: "PRODUCTION" },
    ...(saved ? [{ ...saved, id: 2, status: "STAGING" } as const] : []),
  ]);

const limit = absentable(fc.integer({ min: -1000, max: 1000 }));
/** Optional members of a stored item or parameter: missing, null, or in a loose spelling. */
const itemMembers = {
  since: absentable(from(["", "5.0", "8.0"])),
  until: absentable(from(["", "6.0"])),
  deprecated: looseBoolean,
  removed: looseBoolean,
  mandatory: looseBoolean,
  array: looseBoolean,
};

const itemName = fc.oneof({ arbitrary: from(customNames), weight: 8 }, { arbitrary: from(badNames), weight: 1 });
const itemWith = (levels: number): fc.Arbitrary<VehicleDataItem> =>
  fc.record(
    {
      name: itemName,
      key: fc.oneof({ arbitrary: from(["OEM_A", "OEM_B", "10"]), weight: 8 }, { arbitrary: from(badNames), weight: 1 }),
      type: from(["Integer", "Float", "String", "Struct", "Struct", "GearStatus"]),
      ...itemMembers,
      ...{ minLength: limit, maxLength: limit, minSize: limit, maxSize: limit, minValue: limit, maxValue: limit },
      params: levels === 0 ? fc.constant([]) : fc.array(itemWith(levels - 1), { maxLength: 3 }),
    },
    { requiredKeys: ["name", "key", "type", "params"] },
  );

const vehicleData: fc.Arbitrary<SnapshotVehicleData[]> = numbered(
  fc
    .tuple(itemWith(2), fc.record({ status, isDeleted: rarely, savedAt: time }))
    .map(([node, record]) => ({ ...node, ...record })),
  8,
);

const structNames = ["GPSData", "Inner", "Loop", "Empty", "10"];
const specParam: fc.Arbitrary<RpcSpecParam> = fc.record(
  {
    name: from(["gps", "speed", "vin", "info", "seatOccupancy", "turnSignal", "10", "9", "__proto__", "latitude"]),
    type: from(["Float", "Integer", "GearStatus", ...structNames]),
    ...itemMembers,
    ...{ minlength: limit, maxlength: limit, minsize: limit, maxsize: limit },
    minvalue: absentable(from([-180, "0", "1.5", ""])),
    maxvalue: absentable(from([180, "700", ""])),
    platform: absentable(from(["documentation", "Android", ""])),
  },
  { requiredKeys: ["name", "type"] },
);
const specParams = fc.array(specParam, { maxLength: 4 });

const rpcSpec: fc.Arbitrary<SnapshotRpcSpec | null> = absentable(
  fc.record({
    version: fc.constant("8.0.0"),
    storedAt: time,
    structs: fc.tuple(...structNames.map((name) => fc.record({ name: fc.constant(name), params: specParams }))),
    functions: fc.uniqueArray(
      fc.record({
        name: from(["GetVehicleData", "GetVehicleData", "OnVehicleData", "Show", "__proto__"]),
        messageType: from(["request", "response", "response", "notification"]),
        params: specParams,
      }),
      { selector: (one) => `${one.name} ${one.messageType}`, maxLength: 6 },
    ),
  }),
);

const permission = (name: string): fc.Arbitrary<SnapshotPermission> =>
  fc.record({
    name: fc.constant(name),
    type: moduleNames.includes(name)
      ? fc.constant("MODULE" as const)
      : fc.oneof(
          { arbitrary: fc.constant(rpcNames.includes(name) ? "RPC" : "PARAMETER"), weight: 6 },
          from(permissionTypes),
        ),
    functionId: absentable(fc.integer({ min: 0, max: 32_800 })),
    parents: some(rpcNames, 4),
  });

const permissions: fc.Arbitrary<SnapshotPermission[]> = some(permissionNames).chain((names) =>
  fc.tuple(...names.map(permission)),
);

const shortIds = ["11111111aa", "22222222AA", "22222222aa", "1234567890", "33333333aa"];
const uuids = [
  ...["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-AAAA-4BBB-8CCC-000000000002"],
  ...["33333333-aaaa-4bbb-8ccc-000000000003", "44444444-aaaa-4bbb-8ccc-000000000004", "11111111aa", "1234567890"],
];

const service = (name: string): fc.Arbitrary<SnapshotService> =>
  fc.record({
    name: fc.constant(name),
    serviceNames: fc.uniqueArray(shortText, { maxLength: 3 }),
    selectedPermissions: some(permissionNames, 4),
  });

const version: fc.Arbitrary<Omit<SnapshotAppVersion, "id">> = fc.record({
  approvalStatus: from([...approvalStatuses, "ACCEPTED", "ACCEPTED", "STAGING"]),
  shortUuid: from(shortIds),
  displayNames: fc.array(shortText, { maxLength: 3 }),
  canStealFocus: fc.boolean(),
  canBackgroundAlert: fc.boolean(),
  canManageWidgets: fc.boolean(),
  defaultHmiLevel: from(hmiTextLevels),
  encryptionRequired: fc.boolean(),
  iconUrl: absentable(shortText),
  cloudEndpoint: absentable(shortText),
  cloudTransportType: absentable(from(["WS", "WSS", ""])),
  caCertificate: absentable(shortText),
  categories: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 12 }),
      name: absentable(from(["MEDIA", "SYSTEM", "WEB_VIEW", "10", ""])),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
  permissions: fc.array(fc.record({ key: from(permissionNames), hmiLevel: absentable(from(hmiTextLevels)) }), {
    maxLength: 8,
  }),
  services: some(serviceNames, 3).chain((names) => fc.tuple(...names.map(service))),
  groupGrants: some(groupNames, 3),
});

const noVersions: fc.Arbitrary<Omit<SnapshotAppVersion, "id">[]> = fc.constant([]);

const apps: fc.Arbitrary<SnapshotApp[]> = fc
  .tuple(
    fc.shuffledSubarray(uuids, { minLength: 3 }),
    fc.array(
      fc.record({
        isBlacklisted: rarely,
        isAdministratorApp: fc.boolean(),
        allowUnknownRpcPassthrough: fc.boolean(),
        hybridAppPreference: absentable(from(hybridPreferences)),
        priority: absentable(from(appPriorities)),
        versions: fc.oneof({ arbitrary: fc.array(version, { minLength: 1, maxLength: 3 }), weight: 5 }, noVersions),
      }),
      { minLength: uuids.length, maxLength: uuids.length },
    ),
    fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }), { minLength: uuids.length * 3, maxLength: uuids.length * 3 }),
  )
  .map(([chosen, states, ids]) =>
    chosen.map((uuid, index) => {
      const { versions = [], ...flags } = states[index] ?? {};
      const records = versions.map((one, nth) => ({ ...one, id: ids[index * 3 + nth] ?? 0 }));
      return anApp({ uuid, ...flags, versions: records });
    }),
  );

export const randomSnapshot: fc.Arbitrary<PolicySnapshot> = fc
  .record({ groups, messages, moduleConfigs, vehicleData, rpcSpec, permissions, apps })
  .map(snapshotOf);

export interface RandomRequest {
  /** The shortened table as parsed from the body, possibly with `__proto__` as an own member. */
  readonly table: unknown;
  /** The same after rules R3 and R4. */
  readonly ids: readonly (readonly [id: string, sent: unknown])[];
  readonly fullAppIdSupported: boolean;
  /** R8. */
  readonly isOlder: boolean;
}

/** Exactly the maximum number of bytes, one more, and more bytes than characters. */
const longTokens = [`${"ä".repeat(32_767)}a`, "x".repeat(65_536), "ä".repeat(32_768)];
const tokens = ["t-9", "", ...longTokens, '"}', "\u2029"];
/** Texts, because an object literal cannot have `__proto__` as an own member. */
const sentText = fc.oneof(
  fc.constant("{}"),
  fc
    .record(
      {
        enabled: fc.oneof({ arbitrary: fc.boolean(), weight: 3 }, from([0, 1, "true", null])),
        auth_token: fc.oneof({ arbitrary: from(tokens), weight: 3 }, from([9, null, true, {}])),
        groups: fc.constant(["Base"]),
      },
      { requiredKeys: [] },
    )
    .map((sent) => JSON.stringify(sent)),
  from(['"default"', "null", "5", "[]", '[{"enabled":true}]', '{"__proto__":{"enabled":true,"auth_token":"t"}}']),
);

const reservedIds = ["default", "device", "pre_DataConsent", "Default", "__proto__", "constructor", "toString", ""];
const knownIds = [...uuids, ...shortIds];
const requestedIds = fc.uniqueArray(
  fc.oneof(
    { arbitrary: from(knownIds), weight: 6 },
    { arbitrary: from(knownIds.map((id) => id.toUpperCase())), weight: 2 },
    { arbitrary: from(knownIds.map((id) => id.toLowerCase())), weight: 2 },
    { arbitrary: from(reservedIds), weight: 2 },
    { arbitrary: fc.string({ maxLength: 12, unit: "grapheme" }), weight: 1 },
  ),
  { minLength: 4, maxLength: 20 },
);

/** R4: what a vehicle may send as `full_app_id_supported`; undefined leaves it out. */
const longIds = from([true, true, false, false, 1, 0, "true", "false", "", null, undefined]);

export const randomRequest: fc.Arbitrary<RandomRequest> = fc
  .tuple(requestedIds, fc.array(sentText, { minLength: 20, maxLength: 20 }), longIds)
  .map(([ids, sent, long]) => {
    const members = ids.map((id, index) => `${JSON.stringify(id)}:${sent[index] ?? "{}"}`);
    const appPolicies = JSON.parse(`{${members.join(",")}}`) as Record<string, unknown>;
    const table = { ...shortenedTable(appPolicies, long), ...(long === undefined && { module_config: {} }) };
    return { table, ids: Object.entries(appPolicies), fullAppIdSupported: Boolean(long), isOlder: long === undefined };
  });
