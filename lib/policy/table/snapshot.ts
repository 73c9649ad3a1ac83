/**
 * What the policy compiler reads: plain, immutable values of one consistent point in time. `load-snapshot.ts` makes
 * them from the database, tests make them by hand.
 *
 * The schemas read stored documents. They are strict about what a rule uses and blind to the rest; a document that fails is
 * left out of the table and reported (rule G5).
 */
import { z } from "zod";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf } from "@/lib/labels/members";
import {
  approvalStatuses,
  hmiLevels,
  hmiTextLevels,
  hybridPreferences,
  messageTextFields,
  notificationPriorities,
  permissionTypes,
  recordStatuses,
  storedEndpoints,
  type Environment,
  type RecordStatus,
} from "@/lib/labels/vocabulary";

/** A value that nobody changes, all that is in it included. */
type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;
type Read<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/** What is not stored reads as null. */
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? null);
/** The database numbers documents under a name of its own. */
const withId = <Stored extends { readonly _id: number }>({ _id, ...members }: Stored) => ({ id: _id, ...members });

export const recordId = z.int().positive();
const status = z.enum(recordStatuses);
const name = z.string().min(1);
const optionalText = orNull(z.string());

/** `parameters` are the stored keys; which of them count is decided by rule F5. */
const groupRpc = z.object({ name, levels: z.array(z.enum(hmiLevels)), parameters: z.array(z.string()) });
export type SnapshotRpc = Read<typeof groupRpc>;

export const groupDocument = z
  .object({
    _id: recordId,
    name,
    status,
    isDeleted: z.boolean(),
    ...recordOf(groupFlags, () => z.boolean()),
    userConsentPrompt: optionalText,
    rpcs: z.array(groupRpc),
  })
  .transform(withId);
export type SnapshotGroup = Read<typeof groupDocument>;

const texts = z.object(recordOf(messageTextFields, () => optionalText));
export type MessageTexts = Read<typeof texts>;
export const messageDocument = z
  .object({
    _id: recordId,
    category: name,
    status,
    isDeleted: z.boolean(),
    languages: z.array(texts.extend({ languageId: name })),
  })
  .transform(withId);
export type SnapshotMessage = Read<typeof messageDocument>;

const notifications = z.record(z.enum(notificationPriorities), z.number());
const endpointProperty = z.object({ endpoint: z.enum(storedEndpoints), name, value: z.string() });
export type EndpointProperty = Read<typeof endpointProperty>;

/** Certificate and key are PEM; both or none (rule M10). */
export const moduleConfigDocument = z
  .object({
    _id: recordId,
    status,
    exchangeAfterXIgnitionCycles: z.number(),
    exchangeAfterXKilometers: z.number(),
    exchangeAfterXDays: z.number(),
    timeoutAfterXSeconds: z.number(),
    secondsBetweenRetries: z.array(z.number()),
    lockScreenDismissalEnabled: z.boolean(),
    endpoints: z.record(z.enum(storedEndpoints), z.string()),
    ownEndpoints: z.array(z.enum(storedEndpoints)).exactOptional(),
    endpointProperties: z.array(endpointProperty),
    notificationsPerMinute: notifications,
    subtleNotificationsPerMinute: notifications,
    certificate: optionalText,
    privateKey: optionalText,
  })
  .transform(withId);
export type SnapshotModuleConfig = Read<typeof moduleConfigDocument>;

const limits = ["minlength", "maxlength", "minsize", "maxsize", "minvalue", "maxvalue"] as const;
const word = z.string().nullable().exactOptional();
const yesNo = z.boolean().nullable().exactOptional();
const rpcParam = z.object({
  name,
  type: name,
  since: word,
  until: word,
  deprecated: yesNo,
  removed: yesNo,
  mandatory: yesNo,
  ...recordOf(limits, () => z.number().nullable().exactOptional()),
  array: yesNo,
  platform: word,
});

/** Times are in milliseconds since 1970 (rule V1). */
export const rpcSpecificationDocument = z
  .object({
    version: name,
    storedAt: z.date(),
    structs: z.array(z.object({ name, params: z.array(rpcParam) })),
    functions: z.array(z.object({ name, messageType: name, params: z.array(rpcParam) })),
  })
  .transform((specification): SnapshotRpcSpec => ({ ...specification, storedAt: specification.storedAt.getTime() }));

/** `parents` are the names of the permissions this one belongs to, e.g. `gps` ← `GetVehicleData`. */
export const permissionDocument = z.object({
  name,
  type: z.enum(permissionTypes),
  functionId: orNull(z.number()),
  parents: z.array(name),
});
export type SnapshotPermission = Read<typeof permissionDocument>;

/** `selectedPermissions` are the names of the permissions an administrator has selected for the service. */
const names = z.array(z.string());
const service = z.object({ name: z.string(), serviceNames: names, selectedPermissions: names });
export type SnapshotService = Read<typeof service>;

/** `name` of a category is the HMI type, e.g. MEDIA; `groupGrants` are the groups granted by hand to this version. */
export const appVersionDocument = z.object({
  _id: recordId,
  approvalStatus: z.enum(approvalStatuses),
  shortUuid: z.string().min(1),
  displayNames: names,
  canStealFocus: z.boolean(),
  canBackgroundAlert: z.boolean(),
  canManageWidgets: z.boolean(),
  defaultHmiLevel: z.enum(hmiTextLevels),
  encryptionRequired: z.boolean(),
  iconUrl: optionalText,
  cloudEndpoint: optionalText,
  cloudTransportType: optionalText,
  caCertificate: optionalText,
  categories: z.array(z.object({ id: z.int(), name: optionalText })),
  permissions: z.array(z.object({ key: z.string(), hmiLevel: orNull(z.enum(hmiTextLevels)) })),
  services: z.array(service),
  groupGrants: names,
});
/** The part of an application version that a policy table needs. */
export type SnapshotAppVersion = Omit<Read<typeof appVersionDocument>, "_id"> & { readonly id: number };

/** A preference is null while nobody has stored one (rule A11). */
export const flagsDocument = z.object({
  uuid: z.string().min(1),
  uuidKey: z.string().min(1),
  isBlacklisted: z.boolean(),
  isAdministratorApp: z.boolean(),
  allowUnknownRpcPassthrough: z.boolean(),
  hybridAppPreference: orNull(z.enum(hybridPreferences)),
});
export type FlagsDocument = z.infer<typeof flagsDocument>;

/** One app: its flags and those of its versions that can decide something (newest per role). */
export interface SnapshotApp extends Omit<Immutable<FlagsDocument>, "uuidKey"> {
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

/*
 * Rule V6 takes members of vehicle data in several spellings: what was read of a specification years ago is stored still.
 */
type Loose<Name extends string, Value> = { readonly [member in Name]?: Value | null };
type LooseMembers = Loose<"since" | "until", string> &
  Loose<"deprecated" | "removed" | "mandatory" | "array", boolean | string>;

/** A parameter of a function or struct of the RPC specification, in the spelling of that document. */
export type RpcSpecParam = { readonly name: string; readonly type: string } & LooseMembers &
  Loose<(typeof limits)[number], number | string> &
  Loose<"platform", string>;

export interface SnapshotRpcSpec {
  readonly version: string;
  readonly storedAt: number;
  readonly structs: readonly { readonly name: string; readonly params: readonly RpcSpecParam[] }[];
  readonly functions: readonly (SnapshotRpcSpec["structs"][number] & { readonly messageType: string })[];
}

/** One node of a custom vehicle data tree; the root is the versioned record. */
export type VehicleDataItem = { readonly name: string; readonly key: string; readonly type: string } & LooseMembers &
  Loose<"minLength" | "maxLength" | "minSize" | "maxSize" | "minValue" | "maxValue", number> & {
    readonly params: readonly VehicleDataItem[];
  };

export type SnapshotVehicleData = VehicleDataItem & {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  /** When the record was saved, in milliseconds since 1970 (rule V1). */
  readonly savedAt: number;
};

/** Both views of one kind of versioned record; deleted records are included, the rules decide. */
export type Views<T> = { readonly [environment in Environment]: readonly T[] };

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
