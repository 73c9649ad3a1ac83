import { compareApps } from "@/lib/gate/review/app-comparison";
import { withApps } from "@/lib/gate/review/production";
import { oncePer } from "@/lib/platform/once-per";
import { listApps } from "@/lib/policy/snapshot/app-index";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot, SnapshotApp, Views } from "@/lib/policy/table/snapshot";

/**
 * Finds the apps whose own entry, or a group in it, differs between two policies (`releases.md` L17a), like a review.
 *
 * @param pace awaited after each app
 * @returns in no particular order
 */
export async function findChangedApps(
  from: CompiledPolicy,
  to: CompiledPolicy,
  pace: () => Promise<void>,
): Promise<readonly SnapshotApp[]> {
  return (await compareApps(asProduction(from), asProduction(to), pace)).changed;
}

/** A snapshot whose production is what the policy serves. A review compares nothing else. */
const asProduction = oncePer(({ snapshot, environment }: CompiledPolicy): PolicySnapshot => {
  if (environment === "production") return snapshot;
  const { apps, groups, messages } = snapshot;
  const staged = Array.from(listApps(apps)).filter((app) => app.accepted !== app.staged);
  return {
    ...snapshot,
    // Vehicle data stays: the status of a group decides which of it counts there (rule F5).
    groups: stagedOf(groups),
    messages: stagedOf(messages),
    apps: withApps(
      apps,
      staged.map((app) => ({ ...app, accepted: app.staged })),
    ),
  };
});

const stagedOf = <T>({ staging }: Views<T>): Views<T> => ({ staging, production: staging });
