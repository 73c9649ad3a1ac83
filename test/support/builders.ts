import { allVehicles, type Count } from "@/lib/fleet/dimensions";
import type {
  AppCatalogue,
  PolicyOptions,
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
  Views,
} from "@/lib/policy/table/snapshot";
import { neededRpcs, type RecordStatus } from "@/lib/vocabulary/terms";
import { countsPerPriority } from "./module-config";

export function anRpc(partial: Partial<SnapshotRpc> = {}): SnapshotRpc {
  return { name: "Show", levels: ["FULL"], parameters: [], ...partial };
}

export function aGroup(partial: Partial<SnapshotGroup> = {}): SnapshotGroup {
  return {
    id: 1,
    name: "Base",
    status: "PRODUCTION",
    isDeleted: false,
    isDefault: false,
    isPreDataConsent: false,
    isDevice: false,
    isAppProviderGroup: false,
    isAdministratorGroup: false,
    isWidgetGroup: false,
    isProprietaryGroup: false,
    encryptionRequired: false,
    userConsentPrompt: null,
    rpcs: [anRpc()],
    ...partial,
  };
}

type MessageLanguage = SnapshotMessage["languages"][number];

export function aMessageLanguage(partial: Partial<MessageLanguage> = {}): MessageLanguage {
  return { languageId: "en-us", tts: null, line1: null, line2: null, textBody: null, label: null, ...partial };
}

export function aMessage(partial: Partial<SnapshotMessage> = {}): SnapshotMessage {
  return {
    id: 1,
    category: "Location",
    status: "PRODUCTION",
    isDeleted: false,
    languages: [aMessageLanguage({ label: "Position" })],
    ...partial,
  };
}

export function aModuleConfig(partial: Partial<SnapshotModuleConfig> = {}): SnapshotModuleConfig {
  return {
    id: 1,
    status: "PRODUCTION",
    exchangeAfterXIgnitionCycles: 100,
    exchangeAfterXKilometers: 1800,
    exchangeAfterXDays: 30,
    timeoutAfterXSeconds: 60,
    secondsBetweenRetries: [1, 5, 25, 125, 625],
    lockScreenDismissalEnabled: true,
    endpoints: {
      "0x04": "https://policy.example.com/update",
      queryAppsUrl: "https://policy.example.com/apps",
      lock_screen_icon_url: "https://cdn.example.com/lock.png",
      custom_vehicle_data_mapping_url: "",
    },
    endpointProperties: [],
    notificationsPerMinute: countsPerPriority,
    subtleNotificationsPerMinute: {
      EMERGENCY: 60,
      NAVIGATION: 20,
      PROJECTION: 20,
      VOICECOM: 30,
      COMMUNICATION: 15,
      NORMAL: 10,
      NONE: 0,
    },
    certificate: null,
    privateKey: null,
    ...partial,
  };
}

export function aVehicleDataItem(partial: Partial<VehicleDataItem> = {}): VehicleDataItem {
  return { name: "cabinScent", key: "OEM_SCENT", type: "Integer", params: [], ...partial };
}

export function aVehicleDataRecord(partial: Partial<SnapshotVehicleData> = {}): SnapshotVehicleData {
  return {
    ...aVehicleDataItem(),
    id: 1,
    status: "PRODUCTION",
    isDeleted: false,
    savedAt: Date.UTC(2026, 2, 1, 10),
    ...partial,
  };
}

export function aPermission(partial: Partial<SnapshotPermission> = {}): SnapshotPermission {
  return { name: "Show", type: "RPC", functionId: null, parents: [], ...partial };
}

export function anRpcSpecParam(partial: Partial<RpcSpecParam> = {}): RpcSpecParam {
  return { name: "speed", type: "Float", mandatory: false, ...partial };
}

export function anRpcSpec(partial: Partial<SnapshotRpcSpec> = {}): SnapshotRpcSpec {
  return {
    version: "8.0.0",
    storedAt: Date.UTC(2026, 0, 10),
    structs: [],
    functions: [{ name: "GetVehicleData", messageType: "response", params: [anRpcSpecParam()] }],
    ...partial,
  };
}

export function aService(partial: Partial<SnapshotService> = {}): SnapshotService {
  return { name: "MEDIA", serviceNames: [], selectedPermissions: [], ...partial };
}

export function anAppVersion(partial: Partial<SnapshotAppVersion> = {}): SnapshotAppVersion {
  return {
    id: 1,
    approvalStatus: "ACCEPTED",
    shortUuid: "11111111aa",
    displayNames: ["Roadtune"],
    canStealFocus: false,
    canBackgroundAlert: false,
    canManageWidgets: false,
    defaultHmiLevel: "HMI_NONE",
    encryptionRequired: false,
    iconUrl: null,
    cloudEndpoint: null,
    cloudTransportType: null,
    caCertificate: null,
    categories: [{ id: 3, name: "MEDIA" }],
    permissions: [],
    services: [],
    groupGrants: [],
    ...partial,
  };
}

/** `accepted`, `staged` and `shortIds` are derived from the versions unless given. */
export function anApp({
  versions = [anAppVersion()],
  ...partial
}: Partial<SnapshotApp> & { readonly versions?: readonly SnapshotAppVersion[] } = {}): SnapshotApp {
  const uuid = partial.uuid ?? "11111111-aaaa-4bbb-8ccc-000000000001";
  const newestFirst = versions.toSorted((a, b) => b.id - a.id);
  const newestOf = new Map<string, number>();
  for (const { shortUuid, id } of newestFirst) newestOf.set(shortUuid, newestOf.get(shortUuid) ?? id);
  if (versions.length === 0) newestOf.set(uuid.replace(/[-_]/g, "").slice(0, 10), 0);
  return {
    uuid,
    isBlacklisted: false,
    isAdministratorApp: false,
    allowUnknownRpcPassthrough: false,
    hybridAppPreference: null,
    priority: null,
    shortIds: Array.from(newestOf, ([shortId, newestRecordId]) => ({ shortId, newestRecordId })),
    accepted: newestFirst.find(({ approvalStatus }) => approvalStatus === "ACCEPTED") ?? null,
    staged:
      newestFirst.find(({ approvalStatus }) => approvalStatus === "ACCEPTED" || approvalStatus === "STAGING") ?? null,
    ...partial,
  };
}

export function aCatalogue(apps: readonly SnapshotApp[] = []): AppCatalogue {
  const byUuid = new Map(apps.map((app) => [app.uuid.toLowerCase(), app]));
  const byShortId = new Map<string, SnapshotApp[]>();
  for (const app of apps) {
    for (const shortId of new Set(app.shortIds.map((entry) => entry.shortId.toLowerCase()))) {
      byShortId.set(shortId, [...(byShortId.get(shortId) ?? []), app]);
    }
  }
  const catalogue = {
    byUuid: (uuid: string) => byUuid.get(uuid),
    byShortId: (shortId: string) => byShortId.get(shortId) ?? [],
    size: byUuid.size,
    values: () => byUuid.values(),
  };
  return catalogue;
}

/** Both views of versioned records: the newest record per key, and the newest published one. */
export function viewsOf<T extends { readonly id: number; readonly status: RecordStatus }>(
  records: readonly T[],
  keyOf: (record: T) => string,
): Views<T> {
  const newest = (candidates: readonly T[]) => {
    const view = new Map<string, T>();
    for (const record of candidates.toSorted((a, b) => a.id - b.id)) view.set(keyOf(record), record);
    return [...view.values()];
  };
  return { staging: newest(records), production: newest(records.filter(({ status }) => status === "PRODUCTION")) };
}

export function inBothViews<T>(...records: readonly T[]): Views<T> {
  return { staging: records, production: records };
}

/** The minimum group of a table: every app gets it, and it lets apps register. */
export function aBaseGroup(partial: Partial<SnapshotGroup> = {}): SnapshotGroup {
  const rpcs = [...neededRpcs.map((name) => anRpc({ name, levels: ["NONE"] })), anRpc()];
  return aGroup({ isDefault: true, isDevice: true, isPreDataConsent: true, rpcs, ...partial });
}

export function aSnapshot(partial: Partial<PolicySnapshot> = {}): PolicySnapshot {
  return {
    revision: 1,
    groups: inBothViews(aGroup({ isDefault: true, isDevice: true, isPreDataConsent: true })),
    messages: inBothViews(),
    moduleConfigs: inBothViews(aModuleConfig()),
    vehicleData: inBothViews(),
    rpcSpec: null,
    permissions: [aPermission()],
    apps: aCatalogue(),
    rollout: null,
    ...partial,
  };
}

export function policyOptions(partial: Partial<PolicyOptions> = {}): PolicyOptions {
  return { publicBaseUrl: "https://policy.example.com", certificates: { staging: null, production: null }, ...partial };
}

export const aCount = (partial: Partial<Count> = {}): Count => {
  return {
    environment: "production",
    cell: allVehicles,
    dimension: "software",
    value: "1",
    counters: { count: 1 },
    ...partial,
  };
};
