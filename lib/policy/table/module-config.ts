import { jsonText, objectText } from "@/lib/policy/table/json-text";
import { followBaseUrl } from "@/lib/policy/table/own-endpoints";
import type { EndpointProperty, PolicyOptions, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import { priorityMapNames } from "@/lib/vocabulary/rpc-priorities";
import {
  defaultRetries,
  notificationPriorities,
  storedEndpoints,
  type Environment,
  type NotificationPriority,
  type StoredEndpoint,
} from "@/lib/vocabulary/terms";

/** The only optional endpoint for head units; its properties need a `version`. */
const mappingEndpoint = "custom_vehicle_data_mapping_url";

/** Rules M1 to M11. `fullAppIdSupported`: the vehicle uses long app ids. `priorities`: what the head unit accepts. */
export function buildModuleConfig(
  config: SnapshotModuleConfig,
  environment: Environment,
  options: PolicyOptions,
  fullAppIdSupported: boolean,
  priorities: readonly NotificationPriority[] = notificationPriorities,
): string {
  const addresses = endpointAddresses(followBaseUrl(config, options.publicBaseUrl));
  const endpoints: (readonly [string, string])[] = [
    ["0x07", `${options.publicBaseUrl}/api/v1/${environment}/policy`],
    ...addresses,
  ];
  const certificate = options.certificates[environment];
  return objectText([
    ["full_app_id_supported", jsonText(fullAppIdSupported)],
    ["exchange_after_x_ignition_cycles", jsonText(config.exchangeAfterXIgnitionCycles)],
    ["exchange_after_x_kilometers", jsonText(config.exchangeAfterXKilometers)],
    ["exchange_after_x_days", jsonText(config.exchangeAfterXDays)],
    ["timeout_after_x_seconds", jsonText(config.timeoutAfterXSeconds)],
    ["seconds_between_retries", jsonText(retriesOf(config))],
    ["lock_screen_dismissal_enabled", jsonText(config.lockScreenDismissalEnabled)],
    ["endpoints", objectText(endpoints.map(([name, url]) => [name, jsonText({ default: [url] })]))],
    [
      "endpoint_properties",
      buildEndpointProperties(config.endpointProperties, new Set(addresses.map(([name]) => name))),
    ],
    ["notifications_per_minute_by_priority", notificationMap(config.notificationsPerMinute, priorities)],
    [
      "subtle_notifications_per_minute_by_priority",
      notificationMap(config.subtleNotificationsPerMinute, notificationPriorities),
    ],
    ...(certificate === null ? [] : [["certificate", jsonText(certificate)] as const]),
  ]);
}

/** Rule M12. Null: nothing to send. Empty maps are left out. */
export function buildRpcPriorities({ rpcPriorityTable: table = [] }: SnapshotModuleConfig): string | null {
  const maps = priorityMapNames.flatMap((map) => {
    const own = table.filter((one) => one.map === map);
    return own.length === 0 ? [] : [[map, objectText(own.map((one) => [one.name, jsonText(one.priority)]))] as const];
  });
  return maps.length === 0 ? null : objectText(maps);
}

/** Earlier versions accepted an empty list, which would stop the updates of vehicles for good. */
function retriesOf({ secondsBetweenRetries: retries }: SnapshotModuleConfig): readonly number[] {
  return retries.length === 0 ? defaultRetries : retries;
}

function endpointAddresses(endpoints: Readonly<Record<StoredEndpoint, string>>): (readonly [StoredEndpoint, string])[] {
  return storedEndpoints
    .filter((name) => name !== mappingEndpoint || endpoints[name] !== "")
    .map((name) => [name, endpoints[name]] as const);
}

function buildEndpointProperties(
  properties: readonly EndpointProperty[],
  present: ReadonlySet<StoredEndpoint>,
): string {
  const members: (readonly [string, string])[] = [];
  for (const endpoint of storedEndpoints) {
    if (!present.has(endpoint)) continue;
    // The last value of a name counts, as in any JSON object.
    const values = new Map<string, string>();
    for (const property of properties) {
      if (property.endpoint === endpoint && property.value !== "") values.set(property.name, property.value);
    }
    if (values.size === 0 || (endpoint === mappingEndpoint && !values.has("version"))) continue;
    members.push([endpoint, objectText([...values].map(([name, value]) => [name, jsonText(value)]))]);
  }
  return objectText(members);
}

function notificationMap(
  map: SnapshotModuleConfig["notificationsPerMinute"],
  priorities: readonly NotificationPriority[],
): string {
  return objectText(priorities.map((priority) => [priority, jsonText(map[priority])]));
}
