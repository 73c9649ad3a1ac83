import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { listOwnEndpoints } from "@/lib/policy/table/own-endpoints";
import type { Seed } from "@/lib/exchange/seed/schema";

/** Without ids, in the order of the file. */
export function buildGroups({ groups }: Seed<"functionalGroups">) {
  return groups.map((group) => ({
    name: group.name,
    status: "PRODUCTION" as const,
    description: group.description,
    userConsentPrompt: group.user_consent_prompt,
    ...recordOf(groupFlags, (name) => group[snakeName(name)]),
    rpcs: Object.entries(group.rpcs ?? {})
      .filter(([, rpc]) => rpc.hmi_levels.length > 0)
      .map(([name, rpc]) => ({ name, levels: rpc.hmi_levels, parameters: rpc.parameters ?? [] })),
  }));
}

/** `api.md` 13.2. The base URL replaces placeholders. No mapping URL of vehicle data: nothing serves one yet. */
export function buildSeedModuleConfig({ module_config: config }: Seed<"moduleConfig">, publicBaseUrl: string) {
  const address = (endpoint: "0x04" | "queryAppsUrl" | "lock_screen_icon_url") =>
    publicBaseUrl + new URL(config.endpoints[endpoint].default[0]).pathname;
  const endpoints = {
    "0x04": address("0x04"),
    queryAppsUrl: address("queryAppsUrl"),
    lock_screen_icon_url: address("lock_screen_icon_url"),
    custom_vehicle_data_mapping_url: "",
  };
  return {
    status: "PRODUCTION" as const,
    exchangeAfterXIgnitionCycles: config.exchange_after_x_ignition_cycles,
    exchangeAfterXKilometers: config.exchange_after_x_kilometers,
    exchangeAfterXDays: config.exchange_after_x_days,
    timeoutAfterXSeconds: config.timeout_after_x_seconds,
    secondsBetweenRetries: config.seconds_between_retries,
    lockScreenDismissalEnabled: config.lock_screen_dismissal_enabled,
    endpoints,
    ownEndpoints: listOwnEndpoints(endpoints, publicBaseUrl),
    endpointProperties: [],
    notificationsPerMinute: config.notifications_per_minute_by_priority,
    subtleNotificationsPerMinute: config.subtle_notifications_per_minute_by_priority,
  };
}
