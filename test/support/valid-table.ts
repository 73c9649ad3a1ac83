/** A policy table that every head unit accepts unchanged, with each optional member somewhere in it. */

import { neededRpcs } from "@/lib/vocabulary/terms";
import { fixedEntry } from "./worked-example";

type Path = readonly (string | number)[];

export const validTable: unknown = {
  module_config: {
    full_app_id_supported: true,
    exchange_after_x_ignition_cycles: 100,
    exchange_after_x_kilometers: 1800,
    exchange_after_x_days: 30,
    timeout_after_x_seconds: 60,
    seconds_between_retries: [1, 5, 25, 125, 625],
    lock_screen_dismissal_enabled: true,
    endpoints: {
      "0x07": { default: ["https://policy.example.com/api/v1/production/policy"] },
      queryAppsUrl: { default: ["https://policy.example.com/apps"] },
      custom_vehicle_data_mapping_url: { default: ["https://policy.example.com/map"] },
    },
    endpoint_properties: { custom_vehicle_data_mapping_url: { version: "0.1.2" }, queryAppsUrl: { version: "1" } },
    notifications_per_minute_by_priority: { EMERGENCY: 60, NAVIGATION: 15, PROJECTION: 15, NORMAL: 4, NONE: 0 },
    subtle_notifications_per_minute_by_priority: { EMERGENCY: 60, COMMUNICATION: 15, VOICECOM: 30 },
    certificate: "-----BEGIN CERTIFICATE-----",
    vehicle_make: "Example Motors",
    vehicle_model: "Meadow",
    vehicle_year: "2026",
  },
  vehicle_data: {
    schema_version: "1768003200.000",
    schema_items: [
      {
        name: "gps",
        type: "Struct",
        key: "gps",
        mandatory: false,
        params: [
          { name: "longitudeDegrees", type: "Float", key: "longitudeDegrees", mandatory: true, minvalue: -180.5 },
        ],
      },
      {
        name: "cabinScent",
        type: "Integer",
        key: "OEM_SCENT",
        mandatory: false,
        since: "8.0",
        until: "9.0",
        deprecated: false,
        removed: false,
        array: false,
        minvalue: 0,
        maxvalue: 10,
        minsize: 0,
        maxsize: 3,
        minlength: 0,
        maxlength: 9,
        defvalue: 5,
      },
    ],
  },
  functional_groupings: {
    Base: {
      encryption_required: false,
      rpcs: {
        ...Object.fromEntries(neededRpcs.map((name) => [name, { hmi_levels: ["NONE"] }])),
        ...{ Show: { hmi_levels: ["BACKGROUND", "FULL", "LIMITED", "NONE"] }, Alert: { hmi_levels: ["FULL"] } },
      },
    },
    Location: {
      user_consent_prompt: "Location",
      rpcs: { GetVehicleData: { hmi_levels: ["FULL"], parameters: ["cabinScent", "gps"] } },
      disallowed_by_external_consent_entities_on: [{ entityType: 1, entityID: 128 }],
    },
    DataConsent: { rpcs: null },
  },
  consumer_friendly_messages: {
    version: "000.000.001",
    messages: {
      Location: {
        languages: {
          "en-us": {
            tts: "Apps may read the position.",
            line1: "Grant",
            line2: "access?",
            textBody: "…",
            label: "Position",
          },
          "de-de": { label: "Standort" },
        },
      },
    },
  },
  app_policies: {
    "11111111aa": {
      AppHMIType: ["MEDIA"],
      nicknames: ["Roadtune"],
      keep_context: true,
      steal_focus: false,
      priority: "NONE",
      default_hmi: "NONE",
      groups: ["Base", "Location"],
      preconsented_groups: ["Location"],
      moduleType: ["CLIMATE"],
      RequestType: ["HTTP"],
      RequestSubType: [],
      app_services: { MEDIA: { service_names: ["Roadtune"], handled_rpcs: [{ function_id: 41 }] } },
      allow_unknown_rpc_passthrough: false,
      encryption_required: false,
      heart_beat_timeout_ms: 5000,
      certificate: "pem",
      auth_token: "t-9",
      icon_url: "https://cdn.example.com/icon.png",
      endpoint: "wss://cloud.example.com",
      cloud_transport_type: "WSS",
      hybrid_app_preference: "CLOUD",
      enabled: true,
    },
    "22222222aa": "default",
    "33333333aa": null,
    default: fixedEntry,
    device: fixedEntry,
    pre_DataConsent: fixedEntry,
  },
};

export interface Change {
  readonly path: Path;
  readonly value?: unknown;
}

/** A copy of the valid table (or another) with one change. A change without `value` removes the member. */
export function tableWith(change: Change | null, table: unknown = validTable): unknown {
  // Through text, because a structured clone would keep the three fixed entries as one shared object.
  const copy: any = JSON.parse(JSON.stringify(table));
  if (!change) return copy;
  const { path } = change;
  const last = path.at(-1) ?? "";
  const owner = path.slice(0, -1).reduce((value, step) => value[step], copy);
  if ("value" in change)
    Object.defineProperty(owner, last, { value: change.value, enumerable: true, configurable: true });
  else Reflect.deleteProperty(owner, last);
  return copy;
}

export function manyOf(count: number, one: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, one(index)]));
}
