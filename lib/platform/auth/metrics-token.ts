import "server-only";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";
import { loadSettings } from "@/lib/platform/settings";

/** Whether a request holds `METRICS_TOKEN` as its bearer token, which opens `/metrics` and nothing else. */
export function hasMetricsToken(headers: Headers): boolean {
  const { metricsToken } = loadSettings();
  return metricsToken !== null && headerEquals(headers.get("authorization"), `Bearer ${metricsToken}`);
}
