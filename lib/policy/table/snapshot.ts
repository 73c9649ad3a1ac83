/**
 * What the policy compiler reads: plain, immutable values of one consistent point in time. `load-snapshot.ts` makes
 * them from the database, tests make them by hand.
 */
import type { GroupFlags } from "@/lib/words/group-flags";
import type {
  ApprovalStatus,
  Environment,
  HmiLevel,
  HmiTextLevel,
  HybridPreference,
  MessageTextField,
  NotificationPriority,
  PermissionType,
  RecordStatus,
  StoredEndpoint,
} from "@/lib/words/vocabulary";

export interface SnapshotRpc {
  readonly name: string;
  readonly levels: readonly HmiLevel[];
  /** Stored parameter keys; which of them count is decided by rule F5. */
  readonly parameters: readonly string[];
}

export interface SnapshotGroup extends GroupFlags {
  readonly id: number;
  readonly name: string;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  readonly userConsentPrompt: string | null;
  readonly rpcs: readonly SnapshotRpc[];
}

export type MessageTexts = { readonly [field in MessageTextField]: string | null };

export interface SnapshotMessage {
  readonly id: number;
  readonly category: string;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  readonly languages: readonly ({ readonly languageId: string } & MessageTexts)[];
}

export type NotificationMap = { readonly [priority in NotificationPriority]: number };

export interface EndpointProperty {
  readonly endpoint: StoredEndpoint;
  readonly name: string;
  readonly value: string;
}

export interface SnapshotModuleConfig {
  readonly id: number;
  readonly status: RecordStatus;
  readonly exchangeAfterXIgnitionCycles: number;
  readonly exchangeAfterXKilometers: number;
  readonly exchangeAfterXDays: number;
  readonly timeoutAfterXSeconds: number;
  readonly secondsBetweenRetries: readonly number[];
  readonly lockScreenDismissalEnabled: boolean;
  readonly endpoints: { readonly [endpoint in StoredEndpoint]: string };
  readonly endpointProperties: readonly EndpointProperty[];
  readonly notificationsPerMinute: NotificationMap;
  readonly subtleNotificationsPerMinute: NotificationMap;
  /** PEM; both or none (rule M10). */
  readonly certificate: string | null;
  readonly privateKey: string | null;
}

/** One node of a custom vehicle data tree; the root is the versioned record. */
export interface VehicleDataItem {
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly since?: string | null;
  readonly until?: string | null;
  readonly deprecated?: boolean | string | null;
  readonly removed?: boolean | string | null;
  readonly mandatory?: boolean | string | null;
  readonly minLength?: number | null;
  readonly maxLength?: number | null;
  readonly minSize?: number | null;
  readonly maxSize?: number | null;
  readonly minValue?: number | null;
  readonly maxValue?: number | null;
  readonly array?: boolean | string | null;
  readonly params: readonly VehicleDataItem[];
}

export interface SnapshotVehicleData extends VehicleDataItem {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  /** When the record was saved, in milliseconds since 1970 (rule V1). */
  readonly savedAt: number;
}

/** A parameter of a function or struct of the RPC specification, in the spelling of that document. */
export interface RpcSpecParam {
  readonly name: string;
  readonly type: string;
  readonly since?: string | null;
  readonly until?: string | null;
  readonly deprecated?: boolean | string | null;
  readonly removed?: boolean | string | null;
  readonly mandatory?: boolean | string | null;
  readonly minlength?: number | string | null;
  readonly maxlength?: number | string | null;
  readonly minsize?: number | string | null;
  readonly maxsize?: number | string | null;
  readonly minvalue?: number | string | null;
  readonly maxvalue?: number | string | null;
  readonly array?: boolean | string | null;
  readonly platform?: string | null;
}

export interface SnapshotRpcSpec {
  readonly version: string;
  /** When the specification was stored, in milliseconds since 1970 (rule V1). */
  readonly storedAt: number;
  readonly structs: readonly { readonly name: string; readonly params: readonly RpcSpecParam[] }[];
  readonly functions: readonly {
    readonly name: string;
    readonly messageType: string;
    readonly params: readonly RpcSpecParam[];
  }[];
}

export interface SnapshotPermission {
  readonly name: string;
  readonly type: PermissionType;
  readonly functionId: number | null;
  /** Names of the permissions this one belongs to, e.g. `gps` ← `GetVehicleData`. */
  readonly parents: readonly string[];
}

export interface SnapshotService {
  readonly name: string;
  readonly serviceNames: readonly string[];
  /** Names of the permissions an administrator has selected for this service. */
  readonly selectedPermissions: readonly string[];
}

/** The part of an application version that a policy table needs. */
export interface SnapshotAppVersion {
  readonly id: number;
  readonly approvalStatus: ApprovalStatus;
  readonly shortUuid: string;
  readonly displayNames: readonly string[];
  readonly canStealFocus: boolean;
  readonly canBackgroundAlert: boolean;
  readonly canManageWidgets: boolean;
  readonly defaultHmiLevel: HmiTextLevel;
  readonly encryptionRequired: boolean;
  readonly iconUrl: string | null;
  readonly cloudEndpoint: string | null;
  readonly cloudTransportType: string | null;
  readonly caCertificate: string | null;
  /** `name` is the HMI type, e.g. MEDIA. */
  readonly categories: readonly { readonly id: number; readonly name: string | null }[];
  readonly permissions: readonly { readonly key: string; readonly hmiLevel: HmiTextLevel | null }[];
  readonly services: readonly SnapshotService[];
  /** Names of the functional groups granted by hand to this version. */
  readonly groupGrants: readonly string[];
}

/** One app: its flags and those of its versions that can decide something (newest per role). */
export interface SnapshotApp {
  readonly uuid: string;
  readonly isBlacklisted: boolean;
  readonly isAdministratorApp: boolean;
  readonly allowUnknownRpcPassthrough: boolean;
  /** Null while nobody has stored a preference (rule A11). */
  readonly hybridAppPreference: HybridPreference | null;
  /**
   * Every short id of its stored records with the greatest record id that carries it; without records the one derived
   * from the uuid, with 0 (rules A2 and A3).
   */
  readonly shortIds: readonly { readonly shortId: string; readonly newestRecordId: number }[];
  /** Newest version with status ACCEPTED. */
  readonly accepted: SnapshotAppVersion | null;
  /** Newest version with status ACCEPTED or STAGING. */
  readonly staged: SnapshotAppVersion | null;
}

/** Both views of one kind of versioned record; deleted records are included, the rules decide. */
export interface Views<T> {
  readonly staging: readonly T[];
  readonly production: readonly T[];
}

/** Everything shared sections and app entries are compiled from, for both environments, at one revision. */
export interface PolicySnapshot {
  readonly revision: number;
  readonly groups: Views<SnapshotGroup>;
  readonly messages: Views<SnapshotMessage>;
  /** At most one record per view. */
  readonly moduleConfigs: Views<SnapshotModuleConfig>;
  readonly vehicleData: Views<SnapshotVehicleData>;
  readonly rpcSpec: SnapshotRpcSpec | null;
  readonly permissions: readonly SnapshotPermission[];
  readonly apps: AppCatalogue;
}

/** The stored apps, by lower-cased id. Implementations must not copy all apps when one changes. */
export interface AppCatalogue {
  /** The app with this lower-cased uuid. */
  byUuid(uuid: string): SnapshotApp | undefined;
  /** All apps that carry this lower-cased short id; usually none or one. */
  byShortId(shortId: string): readonly SnapshotApp[];
  readonly size: number;
}

/** Settings that reach the table; the rest of the settings stay outside the pure core. */
export interface PolicyOptions {
  /** Public base URL without a trailing slash (rule M3). */
  readonly publicBaseUrl: string;
  /** The finished `certificate` member per environment, or null when it is to be left out (rule M10). */
  readonly certificates: { readonly [environment in Environment]: string | null };
}
