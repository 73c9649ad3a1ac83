import { objectText } from "@/lib/policy/table/json-text";
import type { EndpointProperty, PolicyOptions, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import { notificationPriorities, storedEndpoints, type Environment, type StoredEndpoint } from "@/lib/words/vocabulary";

/** The one endpoint a head unit may do without; its properties need a `version` (rules M5, M6). */
const mappingEndpoint = "custom_vehicle_data_mapping_url";

/**
 * Builds the JSON text of the `module_config` section (rules M1 to M10).
 *
 * @param config the module config record of the view
 * @param fullAppIdSupported whether the vehicle uses long app ids (rule R4)
 */
export function buildModuleConfig(
  config: SnapshotModuleConfig,
  environment: Environment,
  options: PolicyOptions,
  fullAppIdSupported: boolean,
): string {
  const addresses = endpointAddresses(config);
  const endpoints: (readonly [string, string])[] = [
    ["0x07", `${options.publicBaseUrl}/api/v1/${environment}/policy`],
    ...addresses,
  ];
  const certificate = options.certificates[environment];
  return objectText([
    ["full_app_id_supported", JSON.stringify(fullAppIdSupported)],
    ["exchange_after_x_ignition_cycles", JSON.stringify(config.exchangeAfterXIgnitionCycles)],
    ["exchange_after_x_kilometers", JSON.stringify(config.exchangeAfterXKilometers)],
    ["exchange_after_x_days", JSON.stringify(config.exchangeAfterXDays)],
    ["timeout_after_x_seconds", JSON.stringify(config.timeoutAfterXSeconds)],
    ["seconds_between_retries", JSON.stringify(config.secondsBetweenRetries)],
    ["lock_screen_dismissal_enabled", JSON.stringify(config.lockScreenDismissalEnabled)],
    ["endpoints", objectText(endpoints.map(([name, url]) => [name, JSON.stringify({ default: [url] })]))],
    [
      "endpoint_properties",
      buildEndpointProperties(config.endpointProperties, new Set(addresses.map(([name]) => name))),
    ],
    ["notifications_per_minute_by_priority", notificationMap(config.notificationsPerMinute)],
    ["subtle_notifications_per_minute_by_priority", notificationMap(config.subtleNotificationsPerMinute)],
    ...(certificate === null ? [] : [["certificate", JSON.stringify(certificate)] as const]),
  ]);
}

function endpointAddresses({ endpoints }: SnapshotModuleConfig): (readonly [StoredEndpoint, string])[] {
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
    members.push([endpoint, objectText([...values].map(([name, value]) => [name, JSON.stringify(value)]))]);
  }
  return objectText(members);
}

function notificationMap(map: SnapshotModuleConfig["notificationsPerMinute"]): string {
  return objectText(notificationPriorities.map((priority) => [priority, JSON.stringify(map[priority])]));
}
