"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { appGroupFinder, type FindAppGroups, type RuleSources } from "@/lib/policy/table/app-groups";
import { isFunctionId, limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";
import type { JsonObject } from "@/lib/policy/head-unit/values";
import { type GroupSources, listedGroups } from "@/lib/policy/table/functional-groupings";
import { jsonText, objectText } from "@/lib/policy/table/json-text";
import { namesOf, recordOf } from "@/lib/vocabulary/members";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import type { SnapshotApp, SnapshotAppVersion, SnapshotGroup, SnapshotPermission } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";

/** The entries at the end of every answer, in table order (rule A1), and the groups in each (rule A29). */
export const fixedEntries = {
  default: (group: SnapshotGroup) => group.isDefault,
  device: (group: SnapshotGroup) => group.isDevice,
  pre_DataConsent: (group: SnapshotGroup) => group.isPreDataConsent,
} as const;
export type FixedEntryName = keyof typeof fixedEntries;
export const fixedEntryNames = namesOf(fixedEntries);

export interface AppPolicyContext {
  readonly environment: Environment;
  readonly findGroups: FindAppGroups;
  readonly permissions: ReadonlyMap<string, SnapshotPermission>;
}

/** Permissions by name, once per list, which snapshots share as long as it stays the same. */
export const permissionsByName = oncePer(
  (permissions: readonly SnapshotPermission[]): AppPolicyContext["permissions"] =>
    new Map(permissions.map((permission) => [permission.name, permission])),
);

export function entryContext(
  snapshot: RuleSources,
  environment: Environment,
  findGroups = appGroupFinder(snapshot, environment),
): AppPolicyContext {
  return { environment, findGroups, permissions: permissionsByName(snapshot.permissions) };
}

export interface EntrySide extends AppPolicyContext {
  readonly names: readonly string[];
  /** The entry of apps without their own, without its closing brace. */
  readonly everyApp: string;
}

export function entrySide(snapshot: RuleSources, environment: Environment, findGroups?: FindAppGroups): EntrySide {
  return {
    ...entryContext(snapshot, environment, findGroups),
    names: listedGroups(snapshot, environment).map(({ name }) => name),
    everyApp: buildFixedEntries(snapshot, environment).default.slice(0, -1),
  };
}

export function fixedGroups(snapshot: GroupSources, environment: Environment, entry: FixedEntryName): string[] {
  return listedGroups(snapshot, environment)
    .filter(fixedEntries[entry])
    .map(({ name }) => name);
}

/** The version whose permissions an app has in this environment, or null if it gets "default" (rules A4, A5). */
export function grantedVersion(app: SnapshotApp, environment: Environment): SnapshotAppVersion | null {
  return environment === "production" ? app.accepted : app.staged;
}

/** Builds the JSON text of the entries `default`, `device` and `pre_DataConsent` (rule A29), by name. */
export function buildFixedEntries(snapshot: GroupSources, environment: Environment) {
  return recordOf(fixedEntryNames, (name) =>
    jsonText({
      keep_context: false,
      steal_focus: false,
      priority: "NONE",
      default_hmi: "NONE",
      groups: fixedGroups(snapshot, environment, name),
      RequestType: [],
      RequestSubType: [],
    }),
  );
}

type EntryFlags = Pick<
  SnapshotApp,
  "isAdministratorApp" | "priority" | "allowUnknownRpcPassthrough" | "hybridAppPreference"
>;

/** Its texts and lists fit the limits of head units. */
export function entryVersion(stored: SnapshotAppVersion): SnapshotAppVersion {
  return { ...stored, ...limitEntryTexts(stored).texts };
}

/**
 * JSON text *without its closing brace*, because the members copied from a request come last (rules A6 to A11).
 * `isHmiType`: the HMI types that the head unit knows, for those that do not drop unknown ones (rule A31).
 */
export function buildAppEntry(
  app: EntryFlags,
  stored: SnapshotAppVersion,
  context: AppPolicyContext,
  isHmiType: (type: string) => boolean = () => true,
): string {
  const version = entryVersion(stored);
  const modules = moduleTypes(version, context);
  const text = (name: string, value: string | null) => (value ? [[name, jsonText(value)] as const] : []);
  return objectText([
    ["AppHMIType", jsonText(hmiTypes(version).filter(isHmiType))],
    ["nicknames", jsonText(version.displayNames)],
    ["keep_context", "true"],
    ["steal_focus", jsonText(version.canStealFocus)],
    ["priority", jsonText(app.priority ?? "NONE")],
    ["default_hmi", jsonText(version.defaultHmiLevel.slice("HMI_".length))],
    ["groups", jsonText(context.findGroups(app, version))],
    // Head units take an empty list as all modules, a missing one as none.
    ...(modules.length > 0 ? [["moduleType", jsonText(modules)] as const] : []),
    ["RequestType", "[]"],
    ["RequestSubType", "[]"],
    ["app_services", buildAppServices(version, context)],
    ["allow_unknown_rpc_passthrough", jsonText(app.allowUnknownRpcPassthrough)],
    ["encryption_required", jsonText(version.encryptionRequired)],
    ...text("icon_url", version.iconUrl),
    ...text("endpoint", version.cloudEndpoint),
    ...text("cloud_transport_type", version.cloudTransportType),
    ...text("certificate", version.caCertificate),
    ...text("hybrid_app_preference", app.hybridAppPreference),
  ]).slice(0, -1);
}

/** The members of an app's entry that conditions beside the table read (`head-unit-rules.md` 16); kept with the version. */
export function readEntryFacts(
  { priority }: Pick<SnapshotApp, "priority">,
  version: SnapshotAppVersion,
  permissions: AppPolicyContext["permissions"],
): JsonObject {
  const known = factsOf(permissions)(version);
  const facts = known.get(priority) ?? buildEntryFacts(priority, version, permissions);
  known.set(priority, facts);
  return facts;
}

const factsOf = oncePer((_permissions: AppPolicyContext["permissions"]) =>
  oncePer((_version: SnapshotAppVersion) => new Map<SnapshotApp["priority"], JsonObject>()),
);

function buildEntryFacts(
  priority: SnapshotApp["priority"],
  version: SnapshotAppVersion,
  permissions: AppPolicyContext["permissions"],
): JsonObject {
  const flags = { isAdministratorApp: false, priority, allowUnknownRpcPassthrough: false, hybridAppPreference: null };
  const context = { environment: "production", permissions, findGroups: () => [] } as const;
  const entry = JSON.parse(`${buildAppEntry(flags, version, context)}}`) as JsonObject;
  const read = ["priority", "AppHMIType", "moduleType", "app_services", "encryption_required"];
  return Object.fromEntries(read.flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name]]] : [])));
}

export function readDefaultFacts(snapshot: GroupSources, environment: Environment): JsonObject {
  return JSON.parse(buildFixedEntries(snapshot, environment).default) as JsonObject;
}

/** The HMI types of an app, in table order (rule A6). */
export function hmiTypes({ categories }: Pick<SnapshotAppVersion, "categories">): string[] {
  return categories.toSorted((a, b) => a.id - b.id).flatMap(({ name }) => (name ? [name] : []));
}

function moduleTypes({ permissions }: SnapshotAppVersion, context: AppPolicyContext): string[] {
  const keys = permissions.map(({ key }) => key).filter((key) => context.permissions.get(key)?.type === "MODULE");
  return distinct(keys).sort(byCodeUnit);
}

/** Function id 0 is reserved: no request has it, so a service with only this id handles none. */
const reservedRpc = { function_id: 0 };

/** Rule A7. */
function buildAppServices({ services }: SnapshotAppVersion, context: AppPolicyContext): string {
  return objectText(
    services
      .toSorted((a, b) => byCodeUnit(a.name, b.name))
      .map((service) => {
        const handled_rpcs = distinct(service.selectedPermissions)
          .sort(byCodeUnit)
          .map((name) => context.permissions.get(name)?.functionId ?? null)
          .flatMap((function_id) => (isFunctionId(function_id) ? [{ function_id }] : []));
        const service_names = service.serviceNames.toSorted(byCodeUnit);
        // An empty list would stop the vehicle's updates for good.
        const rpcs = handled_rpcs.length > 0 ? handled_rpcs : [reservedRpc];
        return [service.name, jsonText({ service_names, handled_rpcs: rpcs })] as const;
      }),
  );
}
