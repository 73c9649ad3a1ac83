import "server-only";
import { loadAppNames } from "@/lib/apps/applications/queries";
import type { KeptAppJson } from "@/lib/releases/answer-schema";
import { findNewestRelease } from "@/lib/releases/queries";
import { loadAppSpans } from "@/lib/releases/items/diff";
import { byLowerCase } from "@/lib/vocabulary/order";
import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/** Apps that later releases published, and that a rollback keeps as they are (`releases.md` L4). In order of names. */
export async function findKeptApps(number: number, { apps }: Pick<PolicySnapshot, "apps">): Promise<KeptAppJson[]> {
  const spans = await loadAppSpans(number, await findNewestRelease());
  const kept = [...spans].flatMap(([uuid, { beforeId }]) => {
    const app = apps.byUuid(uuid.toLowerCase());
    const id = app?.accepted?.id;
    return app === undefined || app.isBlacklisted || id === undefined || id === beforeId ? [] : { app, id };
  });
  const names = await loadAppNames(kept.map(({ app }) => app.uuid));
  return kept
    .map(({ app, id }) => ({ uuid: app.uuid, name: names.get(app.uuid) ?? nameOfApp(app), id }))
    .sort((a, b) => byLowerCase(a.name, b.name));
}
