import "server-only";
import { loadAppNames } from "@/lib/apps/applications/app-names";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import { byLowerCase } from "@/lib/labels/order";

/** Apps by their names, which the policy compiler does not know. */
export async function nameApps(apps: readonly SnapshotApp[]): Promise<{ uuid: string; name: string }[]> {
  const names = await loadAppNames(apps.map(({ uuid }) => uuid));
  return apps
    .map((app) => ({ uuid: app.uuid, name: names.get(app.uuid) ?? nameOfApp(app) }))
    .sort((a, b) => byLowerCase(a.name, b.name) || byLowerCase(a.uuid, b.uuid));
}
