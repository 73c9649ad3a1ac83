import type { WireModuleConfig } from "@/lib/records/module-config/wire";

export const countsPerPriority = {
  EMERGENCY: 60,
  NAVIGATION: 15,
  PROJECTION: 15,
  VOICECOM: 20,
  COMMUNICATION: 6,
  NORMAL: 4,
  NONE: 0,
};

export const moduleConfigBody = {
  exchange_after_x_ignition_cycles: 100,
  exchange_after_x_kilometers: 1800,
  exchange_after_x_days: 30,
  timeout_after_x_seconds: 60,
  seconds_between_retries: [1, 5, 25, 125, 625],
  endpoints: {
    "0x04": "https://policy.example.com/update",
    queryAppsUrl: "https://policy.example.com/apps",
    lock_screen_icon_url: "https://cdn.example.com/lock.png",
    custom_vehicle_data_mapping_url: "",
  },
  endpoint_properties: { custom_vehicle_data_mapping_url: { version: "0.1.2" } },
  lock_screen_dismissal_enabled: true,
  notifications_per_minute_by_priority: countsPerPriority,
  subtle_notifications_per_minute_by_priority: countsPerPriority,
};

export function aWireModuleConfig(partial: Partial<WireModuleConfig> = {}): WireModuleConfig {
  return {
    ...moduleConfigBody,
    id: 1,
    status: "PRODUCTION",
    endpoint_properties: {
      "0x04": {},
      queryAppsUrl: {},
      lock_screen_icon_url: {},
      ...moduleConfigBody.endpoint_properties,
    },
    expiration_ts: null,
    ...partial,
  };
}
