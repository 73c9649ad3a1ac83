/** The compiler's input, from one point in time: `load-snapshot.ts` builds it from the database, tests by hand. */
import type { z } from "zod";
import type { RolloutFilters } from "@/lib/vocabulary/rollouts";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";
import type {
  appVersionDocument,
  flagsDocument,
  groupDocument,
  messageDocument,
  moduleConfigDocument,
  permissionDocument,
} from "@/lib/policy/documents/documents";

type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;
type Read<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

export type SnapshotGroup = Read<typeof groupDocument>;
export type SnapshotRpc = SnapshotGroup["rpcs"][number];
export type SnapshotMessage = Read<typeof messageDocument>;
export type MessageTexts = Omit<SnapshotMessage["languages"][number], "languageId">;
export type SnapshotModuleConfig = Read<typeof moduleConfigDocument>;
export type EndpointProperty = SnapshotModuleConfig["endpointProperties"][number];
export type SnapshotPermission = Read<typeof permissionDocument>;
export type SnapshotAppVersion = Read<typeof appVersionDocument>;
export type SnapshotService = SnapshotAppVersion["services"][number];

export interface SnapshotApp extends Omit<Read<typeof flagsDocument>, "uuidKey"> {
  /** With the greatest id of a record that has it; without records, the one from the uuid, with 0 (rules A2, A3). */
  readonly shortIds: readonly { readonly shortId: string; readonly newestRecordId: number }[];
  /** Newest version with status ACCEPTED. */
  readonly accepted: SnapshotAppVersion | null;
  /** Newest version with status ACCEPTED or STAGING. */
  readonly staged: SnapshotAppVersion | null;
}

// Several types are accepted for members of vehicle data, because specifications read years ago are still stored.
type Loose<Name extends string, Value> = { readonly [member in Name]?: Value | null };
type LooseMembers = Loose<"since" | "until", string> &
  Loose<"deprecated" | "removed" | "mandatory" | "array", boolean | string>;

export type RpcSpecParam = { readonly name: string; readonly type: string } & LooseMembers &
  Loose<"minlength" | "maxlength" | "minsize" | "maxsize" | "minvalue" | "maxvalue", number | string> &
  Loose<"platform", string>;

export interface SnapshotRpcSpec {
  readonly version: string;
  readonly storedAt: number;
  readonly structs: readonly { readonly name: string; readonly params: readonly RpcSpecParam[] }[];
  readonly functions: readonly (SnapshotRpcSpec["structs"][number] & { readonly messageType: string })[];
}

export type VehicleDataItem = { readonly name: string; readonly key: string; readonly type: string } & LooseMembers &
  Loose<"minLength" | "maxLength" | "minSize" | "maxSize" | "minValue" | "maxValue", number> & {
    readonly params: readonly VehicleDataItem[];
  };

export type SnapshotVehicleData = VehicleDataItem & {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  /** When the record was saved, in milliseconds since 1970. */
  readonly savedAt: number;
};

/** Both views of one kind of versioned record, including deleted records; the rules decide about these. */
export type Views<T> = { readonly [environment in Environment]: readonly T[] };

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
  /** Null: all vehicles get the production of this snapshot. */
  readonly rollout: SnapshotRollout | null;
}

/** The records that tables are built from, of one environment. */
export type TableRecords = {
  readonly [Member in "groups" | "messages" | "moduleConfigs" | "vehicleData"]: PolicySnapshot[Member]["production"];
};

/** A release in production that only some vehicles get yet (`fleet.md` S11, S12). */
export interface SnapshotRollout extends RolloutFilters {
  readonly number: number;
  readonly salt: string;
  /** Of the vehicles that the filters let in; 0 to 100. */
  readonly percent: number;
  readonly isPaused: boolean;
  readonly release: number;
  readonly before: number;
  /** Production as of the release before; unchanged records are the objects of this snapshot. */
  readonly records: TableRecords;
}

/** The stored apps by lower-case id. Implementations must not copy all apps when one changes. */
export interface AppCatalogue {
  byUuid(uuid: string): SnapshotApp | undefined;
  /** All apps with this lower-case short id; usually none or one. */
  byShortId(shortId: string): readonly SnapshotApp[];
  readonly size: number;
}

export interface PolicyOptions {
  /** Without a trailing slash. */
  readonly publicBaseUrl: string;
  /** The finished `certificate` member per environment; null omits it. */
  readonly certificates: { readonly [environment in Environment]: string | null };
}
