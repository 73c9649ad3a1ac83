import { replacedConnections } from "@/lib/platform/db/connection/replaced-connections";
import { counter, type Figure, gauge } from "@/lib/platform/process/process-figures";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";

export interface SharedSources {
  readonly status: () => RuntimeStatus;
  readonly savedAt?: () => number | null;
  readonly isDatabaseConnected?: (() => boolean) | undefined;
}

export function policyFigures({ status, savedAt, isDatabaseConnected }: SharedSources): readonly Figure[] {
  const ageOf = (at: number | null) => (at === null ? null : Math.max(0, Date.now() - at) / 1000);
  const secondsOf = (ms: number | null) => (ms === null ? null : ms / 1000);
  return [
    gauge("policy_revision", "Revision of the policies in service", () => status().revision),
    gauge("policy_age_seconds", "Time since the policies in service were compiled", () => ageOf(status().builtAt)),
    gauge(
      "policy_confirmed_age_seconds",
      "Time since the database was last seen to be at the revision in service, restarts included; absent when not known",
      () => ageOf(status().confirmedAt),
    ),
    gauge("policy_current", "1 when the policies in service are those of the newest revision", () =>
      status().state === "ready" ? 1 : 0,
    ),
    gauge(
      "policy_database_unexpected",
      "1 while vehicles keep the last policy because the database is not the one it comes from",
      () => (status().unexpectedDatabase === null ? 0 : 1),
    ),
    gauge("policy_apps", "Stored apps", () => status().apps),
    ...given(savedAt, (read) =>
      gauge(
        "policy_saved_timestamp_seconds",
        "When this process last wrote or confirmed the policy on disk, in seconds since 1970; 0: not yet",
        () => secondsOf(read()),
      ),
    ),
    ...given(isDatabaseConnected, (read) =>
      gauge("policy_database_connected", "1 while the database answers", () => (read() ? 1 : 0)),
    ),
    counter(
      "policy_database_connections_replaced_total",
      "Database connections that were dead and have been replaced",
      replacedConnections,
    ),
  ];
}

function given<T>(source: T | undefined, figure: (source: T) => Figure): readonly Figure[] {
  return source === undefined ? [] : [figure(source)];
}
