import type { WireModuleConfig } from "@/lib/module-config/wire";

type Copied = Pick<
  WireModuleConfig,
  "endpoints" | "lock_screen_dismissal_enabled" | "notifications_per_minute_by_priority"
>;

/** A number while it is being typed: an empty field is none. */
type Count = number | null;
export type NotificationCounts = {
  readonly [Priority in keyof Copied["notifications_per_minute_by_priority"]]: Count;
};

/** Names the draft of the form. */
export const draftKey = "module-config";

/** What the form edits. */
export interface Editable {
  readonly exchange_after_x_ignition_cycles: Count;
  readonly exchange_after_x_kilometers: Count;
  readonly exchange_after_x_days: Count;
  readonly timeout_after_x_seconds: Count;
  readonly seconds_between_retries: readonly Count[];
  readonly endpoints: Copied["endpoints"];
  readonly endpoint_properties: WireModuleConfig["endpoint_properties"];
  readonly lock_screen_dismissal_enabled: boolean;
  readonly notifications_per_minute_by_priority: NotificationCounts;
  readonly subtle_notifications_per_minute_by_priority: NotificationCounts;
}

/** What every part of the form gets. */
export interface FormPart {
  readonly value: Editable;
  /** Null: for reading only. */
  readonly set: ((update: Partial<Editable>) => void) | null;
  /** What production has, to compare with. */
  readonly production: Editable | null;
}

export const labels: Readonly<Record<string, string>> = {
  exchange_after_x_ignition_cycles: "Refresh after starts",
  exchange_after_x_kilometers: "Refresh after kilometers",
  exchange_after_x_days: "Refresh after days",
  timeout_after_x_seconds: "Timeout",
  seconds_between_retries: "Retries",
  endpoints: "Addresses",
  endpoint_properties: "Properties of addresses",
  lock_screen_dismissal_enabled: "Lock screen",
  notifications_per_minute_by_priority: "Notifications",
  subtle_notifications_per_minute_by_priority: "Subtle notifications",
};

/** The members that the form edits, without id, state and what is computed. */
export function toEditable(config: WireModuleConfig): Editable {
  const { id: _id, status: _status, expiration_ts: _end, ...editable } = config;
  return editable;
}

/** The body of the save. The certificate stays as it is stored: this page never holds its key. */
export function toBody(value: Editable, baseId: number | null): unknown {
  return { ...value, keep_certificate: true, base_id: baseId };
}
