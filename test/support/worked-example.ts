/** Tests that publish, delete or approve change `records` and build a new snapshot. */
import type {
  PolicySnapshot,
  SnapshotApp,
  SnapshotAppVersion,
  SnapshotGroup,
  SnapshotMessage,
  SnapshotModuleConfig,
  SnapshotPermission,
  SnapshotRpcSpec,
  SnapshotVehicleData,
} from "@/lib/policy/table/snapshot";
import {
  aCatalogue,
  aGroup,
  aMessage,
  aMessageLanguage,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpc,
  anRpcSpec,
  anRpcSpecParam,
  aPermission,
  aService,
  aSnapshot,
  aVehicleDataRecord,
  viewsOf,
} from "./builders";

interface StoredRecords {
  readonly groups: readonly SnapshotGroup[];
  readonly messages: readonly SnapshotMessage[];
  readonly moduleConfigs: readonly SnapshotModuleConfig[];
  readonly vehicleData: readonly SnapshotVehicleData[];
  readonly rpcSpec: SnapshotRpcSpec | null;
  readonly permissions: readonly SnapshotPermission[];
  readonly apps: readonly SnapshotApp[];
}

export function snapshotOf(stored: StoredRecords): PolicySnapshot {
  return aSnapshot({
    groups: viewsOf(stored.groups, ({ name }) => name),
    messages: viewsOf(stored.messages, ({ category }) => category),
    moduleConfigs: viewsOf(stored.moduleConfigs, () => "module config"),
    vehicleData: viewsOf(stored.vehicleData, ({ name }) => name),
    rpcSpec: stored.rpcSpec,
    permissions: stored.permissions,
    apps: aCatalogue(stored.apps),
  });
}

const locationRpc = (levels: Parameters<typeof anRpc>[0]) =>
  anRpc({ name: "GetVehicleData", parameters: ["gps", "speed"], ...levels });

export const groups = [
  aGroup({
    id: 1,
    name: "Base",
    isDefault: true,
    isDevice: true,
    isPreDataConsent: true,
    rpcs: [anRpc({ name: "Show", levels: ["FULL", "LIMITED", "BACKGROUND"] })],
  }),
  aGroup({
    id: 2,
    name: "Location",
    userConsentPrompt: "Location",
    rpcs: [locationRpc({ levels: ["FULL", "LIMITED"] })],
  }),
  aGroup({ id: 3, name: "Remote", rpcs: [anRpc({ name: "GetInteriorVehicleData", levels: ["FULL"] })] }),
  aGroup({
    id: 4,
    name: "OemDiag",
    isProprietaryGroup: true,
    encryptionRequired: true,
    rpcs: [anRpc({ name: "GetDTCs", levels: ["FULL", "LIMITED"] })],
  }),
  aGroup({
    id: 5,
    name: "Location",
    status: "STAGING",
    userConsentPrompt: "Location",
    rpcs: [locationRpc({ levels: ["FULL", "LIMITED", "BACKGROUND"] })],
  }),
];

const messages = [
  aMessage({
    id: 1,
    category: "Location",
    languages: [aMessageLanguage({ label: "Position", tts: "Apps may read position and speed." })],
  }),
  aMessage({
    id: 2,
    category: "Location",
    status: "STAGING",
    languages: [
      aMessageLanguage({ label: "Position", tts: "Apps may read where the car is." }),
      aMessageLanguage({ languageId: "de-de", label: "Standort" }),
    ],
  }),
];

const permissions = [
  aPermission({ name: "Show", type: "RPC" }),
  aPermission({ name: "GetVehicleData", type: "RPC" }),
  aPermission({ name: "GetInteriorVehicleData", type: "RPC" }),
  aPermission({ name: "GetDTCs", type: "RPC" }),
  aPermission({ name: "ButtonPress", type: "RPC", functionId: 41 }),
  aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
  aPermission({ name: "speed", type: "PARAMETER", parents: ["GetVehicleData"] }),
  aPermission({ name: "CLIMATE", type: "MODULE", parents: ["GetInteriorVehicleData"] }),
];

const rpcSpec = anRpcSpec({
  storedAt: Date.parse("2026-01-10T00:00:00Z"),
  structs: [
    {
      name: "GPSData",
      params: [
        anRpcSpecParam({ name: "longitudeDegrees", type: "Float", minvalue: -180, maxvalue: 180, mandatory: true }),
      ],
    },
  ],
  functions: [
    {
      name: "GetVehicleData",
      messageType: "response",
      params: [
        anRpcSpecParam({ name: "gps", type: "GPSData", mandatory: false }),
        anRpcSpecParam({ name: "speed", type: "Float", minvalue: 0, maxvalue: 700, mandatory: false }),
      ],
    },
  ],
});

const roadtuneVersion = anAppVersion({
  permissions: [
    { key: "gps", hmiLevel: "HMI_BACKGROUND" },
    { key: "Show", hmiLevel: "HMI_FULL" },
  ],
  services: [aService({ serviceNames: ["Roadtune"], selectedPermissions: ["ButtonPress"] })],
});

export const versions = {
  1: roadtuneVersion,
  2: {
    ...roadtuneVersion,
    id: 2,
    approvalStatus: "PENDING",
    permissions: [...roadtuneVersion.permissions, { key: "CLIMATE", hmiLevel: "HMI_FULL" }],
  },
  3: anAppVersion({
    id: 3,
    approvalStatus: "STAGING",
    shortUuid: "22222222aa",
    displayNames: ["ClimaPal"],
    categories: [{ id: 11, name: "REMOTE_CONTROL" }],
    permissions: [{ key: "CLIMATE", hmiLevel: "HMI_FULL" }],
    groupGrants: ["OemDiag"],
    encryptionRequired: true,
  }),
  4: anAppVersion({
    id: 4,
    shortUuid: "33333333aa",
    displayNames: [],
    categories: [],
    permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }],
  }),
} satisfies Record<number, SnapshotAppVersion>;

export const records: StoredRecords = {
  groups,
  messages,
  moduleConfigs: [aModuleConfig()],
  vehicleData: [
    aVehicleDataRecord({ id: 20, minValue: 0, maxValue: 10, mandatory: false, array: false, status: "STAGING" }),
  ],
  rpcSpec,
  permissions,
  apps: [
    anApp({ uuid: "11111111-aaaa-4bbb-8ccc-000000000001", versions: [versions[1], versions[2]] }),
    anApp({ uuid: "22222222-aaaa-4bbb-8ccc-000000000002", versions: [versions[3]], hybridAppPreference: "MOBILE" }),
    anApp({ uuid: "33333333-aaaa-4bbb-8ccc-000000000003", versions: [versions[4]], isBlacklisted: true }),
  ],
};

export const workedExample: PolicySnapshot = snapshotOf(records);

export const workedRequest = {
  policy_table: {
    app_policies: { "11111111aa": {}, "22222222aa": { auth_token: "t-9" }, "33333333aa": {}, "44444444aa": {} },
    consumer_friendly_messages: {},
    device_data: {},
    functional_groupings: {},
    module_config: { full_app_id_supported: false },
    usage_and_error_counts: {},
  },
} as const;

/** What every app has, and a phone before it is agreed to. */
export const fixedEntry = {
  keep_context: false,
  steal_focus: false,
  priority: "NONE",
  default_hmi: "NONE",
  groups: ["Base"],
  RequestType: [],
  RequestSubType: [],
};

const fixedEntries = { default: fixedEntry, device: fixedEntry, pre_DataConsent: fixedEntry };

/** The first members of a granted app, in answer order. */
const granted = (AppHMIType: string, nickname: string, groups: readonly string[]) => ({
  ...{ AppHMIType: [AppHMIType], nicknames: [nickname] },
  ...{ keep_context: true, steal_focus: false, priority: "NONE", default_hmi: "NONE", groups },
});

const roadtune = (groups: readonly string[]) => ({
  ...granted("MEDIA", "Roadtune", groups),
  RequestType: [],
  RequestSubType: [],
  app_services: { MEDIA: { service_names: ["Roadtune"], handled_rpcs: [{ function_id: 41 }] } },
  allow_unknown_rpc_passthrough: false,
  encryption_required: false,
});

const climaPal = {
  ...granted("REMOTE_CONTROL", "ClimaPal", ["Base", "OemDiag", "Remote"]),
  moduleType: ["CLIMATE"],
  RequestType: [],
  RequestSubType: [],
  app_services: {},
  allow_unknown_rpc_passthrough: false,
  encryption_required: true,
  hybrid_app_preference: "MOBILE",
  auth_token: "t-9",
};

const groupings = (locationLevels: readonly string[]) => ({
  Base: { encryption_required: false, rpcs: { Show: { hmi_levels: ["BACKGROUND", "FULL", "LIMITED"] } } },
  Location: {
    encryption_required: false,
    user_consent_prompt: "Location",
    rpcs: { GetVehicleData: { hmi_levels: locationLevels, parameters: ["gps", "speed"] } },
  },
  OemDiag: { encryption_required: true, rpcs: { GetDTCs: { hmi_levels: ["FULL", "LIMITED"] } } },
  Remote: { encryption_required: false, rpcs: { GetInteriorVehicleData: { hmi_levels: ["FULL"] } } },
});

const nativeItems = [
  {
    name: "gps",
    type: "Struct",
    key: "gps",
    mandatory: false,
    params: [
      {
        name: "longitudeDegrees",
        type: "Float",
        key: "longitudeDegrees",
        mandatory: true,
        minvalue: -180,
        maxvalue: 180,
      },
    ],
  },
  { name: "speed", type: "Float", key: "speed", mandatory: false, minvalue: 0, maxvalue: 700 },
];

/** Members in answer order, so `JSON.stringify` of one is the answer's text; `module_config` is not part of it. */
export const expectedSections = {
  production: {
    vehicle_data: { schema_version: "1768003200.000", schema_items: nativeItems },
    functional_groupings: groupings(["FULL", "LIMITED"]),
    consumer_friendly_messages: {
      version: "000.000.001",
      messages: {
        Location: { languages: { "en-us": { tts: "Apps may read position and speed.", label: "Position" } } },
      },
    },
    app_policies: {
      "11111111aa": roadtune(["Base"]),
      "22222222aa": "default",
      "33333333aa": null,
      "44444444aa": "default",
      ...fixedEntries,
    },
  },
  staging: {
    vehicle_data: {
      schema_version: "1772359200.000",
      schema_items: [
        ...nativeItems,
        {
          name: "cabinScent",
          type: "Integer",
          key: "OEM_SCENT",
          mandatory: false,
          minvalue: 0,
          maxvalue: 10,
          array: false,
        },
      ],
    },
    functional_groupings: groupings(["BACKGROUND", "FULL", "LIMITED"]),
    consumer_friendly_messages: {
      version: "000.000.002",
      messages: {
        Location: {
          languages: {
            "de-de": { label: "Standort" },
            "en-us": { tts: "Apps may read where the car is.", label: "Position" },
          },
        },
      },
    },
    app_policies: {
      "11111111aa": roadtune(["Base", "Location"]),
      "22222222aa": climaPal,
      "33333333aa": null,
      "44444444aa": "default",
      ...fixedEntries,
    },
  },
} as const;
