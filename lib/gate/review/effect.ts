import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { byLowerCase } from "@/lib/labels/order";

/** Apps that an effect names (rule L7). */
export const maxNamedApps = 100;

/** Of the same length as any. */
const requestId = "00000000-0000-4000-8000-000000000000";

/** Bytes of the whole answer to a vehicle without apps; null: there is no table, which takes none. */
export function sizeOfAnswer(policy: CompiledPolicy | null): { readonly plain: number; readonly gzip: number } {
  if (policy === null) return { plain: 0, gzip: 0 };
  const parts = buildAnswer(policy, { apps: [], fullAppIdSupported: true, isOlder: false }, requestId);
  return { plain: joinPlain(parts).length, gzip: joinGzip(parts).length };
}

/** What an app is called where no more is known of it than the policy compiler needs. */
export function nameOfApp({ uuid, accepted, staged }: SnapshotApp): string {
  return (accepted ?? staged)?.displayNames[0] ?? uuid;
}

/** The first apps by their names. */
export function firstByName(apps: readonly SnapshotApp[], most: number): SnapshotApp[] {
  const named = apps.map((app) => ({ app, name: nameOfApp(app) }));
  return named
    .sort((a, b) => byLowerCase(a.name, b.name) || byLowerCase(a.app.uuid, b.app.uuid))
    .slice(0, most)
    .map(({ app }) => app);
}
