import type { WireModuleCertificate, WireModuleConfig } from "@/lib/records/module-config/wire";
import {
  type NotificationPriority,
  notificationPriorities,
  refreshCounts,
  type StoredEndpoint,
  storedEndpoints,
  type Environment,
} from "@/lib/vocabulary/terms";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { type PriorityMap, priorityMapNames } from "@/lib/vocabulary/rpc-priorities";
import { priorityLabels } from "@/lib/vocabulary/module-config-labels";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import type { RecordStore } from "@/app/_records/family";
import { get } from "@/lib/platform/http/client";

type Count = number | null;
export type Priorities = Readonly<Record<string, Count>>;

const countMembers = refreshCounts.map(snakeName);
const notificationMembers = [
  "notifications_per_minute_by_priority",
  "subtle_notifications_per_minute_by_priority",
] as const;
type CountMember = (typeof countMembers)[number];
type NotificationMember = (typeof notificationMembers)[number];

const mapping = "custom_vehicle_data_mapping_url";
export const mappingVersion = `endpoint_properties.${mapping}.version` as const;

/**
 * Flat (`endpoints.queryAppsUrl`): changes are counted, shown and merged by field; keys are paths in the saved body.
 */
export type Editable = Readonly<
  Record<CountMember, Count> & {
    seconds_between_retries: readonly Count[];
    lock_screen_dismissal_enabled: boolean;
    endpoint_properties: WireModuleConfig["endpoint_properties"];
    rpc_priority_table: Readonly<Record<PriorityMap, Priorities>>;
  } & Record<typeof mappingVersion, string | null> &
    Record<`endpoints.${StoredEndpoint}`, string> &
    Record<`${NotificationMember}.${NotificationPriority}`, Count>
>;

/** Change it if the shape changes. */
export const draftName = "fields-2";
export const pairName = "module-config";

export interface FormPart {
  readonly value: Editable;
  /** Null: read-only. */
  readonly set: ((update: Partial<Editable>) => void) | null;
  readonly production: Editable | null;
}

export const endpointLabels: Readonly<Record<StoredEndpoint, string>> = {
  "0x04": "Software updates",
  queryAppsUrl: "Apps on iOS phones",
  lock_screen_icon_url: "Lock screen icon",
  [mapping]: "Vehicle data mapping",
};

const listNotifications = (member: NotificationMember, words: string) =>
  notificationPriorities.map((priority) => [`${member}.${priority}`, `${words}: ${priorityLabels[priority]}`] as const);

export const labels: Readonly<Record<string, string>> = {
  exchange_after_x_ignition_cycles: "Refresh after starts",
  exchange_after_x_kilometers: "Refresh after kilometers",
  exchange_after_x_days: "Refresh after days",
  timeout_after_x_seconds: "Timeout",
  seconds_between_retries: "Retries",
  ...Object.fromEntries(storedEndpoints.map((name) => [`endpoints.${name}`, endpointLabels[name]])),
  [mappingVersion]: "Vehicle data mapping, version",
  endpoint_properties: "Other properties of addresses",
  lock_screen_dismissal_enabled: "Lock screen",
  ...Object.fromEntries(listNotifications("notifications_per_minute_by_priority", "Notifications")),
  ...Object.fromEntries(listNotifications("subtle_notifications_per_minute_by_priority", "Subtle notifications")),
  rpc_priority_table: "RPC priorities",
};

/** No id, state, certificate or computed values. */
export function toEditable(config: Omit<WireModuleConfig, "id" | "status">): Editable {
  const { version = null, ...others } = config.endpoint_properties[mapping] ?? {};
  const flat = {
    ...Object.fromEntries(countMembers.map((name) => [name, config[name]])),
    seconds_between_retries: config.seconds_between_retries,
    lock_screen_dismissal_enabled: config.lock_screen_dismissal_enabled,
    ...Object.fromEntries(storedEndpoints.map((name) => [`endpoints.${name}`, config.endpoints[name]])),
    [mappingVersion]: version,
    endpoint_properties: { ...config.endpoint_properties, [mapping]: others },
    ...Object.fromEntries(
      notificationMembers.flatMap((member) =>
        notificationPriorities.map((priority) => [`${member}.${priority}`, config[member][priority]]),
      ),
    ),
    rpc_priority_table: recordOf(priorityMapNames, (map) => config.rpc_priority_table?.[map] ?? {}),
  };
  // `Object.fromEntries` loses the key types.
  return flat as unknown as Editable;
}

function toSettings(value: Editable) {
  const version = value[mappingVersion];
  const priorities = Object.entries(value.rpc_priority_table).filter(([, map]) => Object.keys(map).length > 0);
  const notifications = (member: NotificationMember) =>
    Object.fromEntries(notificationPriorities.map((priority) => [priority, value[`${member}.${priority}`]]));
  return {
    ...Object.fromEntries(countMembers.map((name) => [name, value[name]])),
    seconds_between_retries: value.seconds_between_retries,
    lock_screen_dismissal_enabled: value.lock_screen_dismissal_enabled,
    endpoints: Object.fromEntries(storedEndpoints.map((name) => [name, value[`endpoints.${name}`]])),
    endpoint_properties: {
      ...value.endpoint_properties,
      [mapping]: { ...value.endpoint_properties[mapping], ...(version !== null && { version }) },
    },
    ...Object.fromEntries(notificationMembers.map((member) => [member, notifications(member)])),
    ...(priorities.length > 0 && { rpc_priority_table: Object.fromEntries(priorities) }),
  };
}

/** Keeps the stored certificate: the form never holds its key. */
export function toBody(value: Editable, baseId: number | null): Readonly<Record<string, unknown>> {
  return { ...toSettings(value), keep_certificate: true, base_id: baseId };
}

/** An empty pair removes the stored one. */
export function toPairBody(
  value: Editable,
  pair: Readonly<{ certificate: string; privateKey: string }>,
  baseId: number | null,
): Readonly<Record<string, unknown>> {
  return { ...toSettings(value), certificate: pair.certificate, private_key: pair.privateKey, base_id: baseId };
}

/** @throws ApiError */
export async function readPair(environment: Environment): Promise<CertificatePair> {
  const { module_configs } = (await get(`/api/v1/module?environment=${environment}`)) as {
    readonly module_configs: readonly Partial<WireModuleCertificate>[];
  };
  const [stored] = module_configs;
  if (stored === undefined) throw new Error("No module config is stored.");
  return { certificate: stored.certificate ?? "", privateKey: stored.private_key ?? "" };
}

export const moduleStore: RecordStore<Editable> = {
  family: "module_config",
  api: "/api/v1/module",
  draftPrefix: "module-config",
  nameOf: () => "the module config",
  toBody,
  toForm: (body) => toEditable(body as WireModuleConfig),
};
