import "server-only";
import { AppError } from "@/lib/platform/errors";
import type { PolicyRuntime } from "@/lib/policy/runtime";
import { findServices } from "@/lib/policy/services";
import { RecordViews } from "@/lib/policy/snapshot/load-records";
import { atOnePointInTime } from "@/lib/policy/snapshot/load-snapshot";
import { mapViews, snapshotFamilies, snapshotFamily } from "@/lib/policy/snapshot/shared-parts";
import { whenFollowed } from "@/lib/policy/status";
import { type CompiledPolicy, compilePolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { createPacer } from "@/lib/platform/process/pacer";
import { requireRelease } from "@/lib/content/releases/queries";
import { processGlobal } from "@/lib/platform/process-globals";
import { namesOf, recordOf } from "@/lib/labels/members";

const ignore = () => undefined;

/**
 * What production vehicles were served from when a release was published (`releases.md` L3): its groups, messages, vehicle data
 * and module config. Apps, permissions and the RPC specification are those of `today`, and so is its staging view.
 *
 * @param release number of a release there is
 */
export async function loadSnapshotAsOf(release: number, today: PolicySnapshot): Promise<PolicySnapshot> {
  const pace = createPacer();
  const readers = await atOnePointInTime(async (session) => {
    // Made anew for every attempt: what was read once is not read again.
    const parts = recordOf(namesOf(snapshotFamilies), (name) => {
      return new RecordViews({ ...snapshotFamily(name), asOf: release }, ignore);
    });
    for (const part of Object.values(parts)) (await part.read(session, pace))();
    return parts;
  });
  const views = mapViews((source) => {
    return { staging: source.viewsOf(today).staging, production: readers[source.family].views.production };
  });
  return { ...today, ...views };
}

/** More are seldom compared with each other. */
const maxKept = 4;

interface KeptPolicy {
  readonly release: number;
  /** What apps, settings and certificates were taken from. */
  readonly today: PolicySnapshot;
  readonly compiled: Promise<CompiledPolicy>;
}
const kept = processGlobal<{ policies: readonly KeptPolicy[] }>("policies-as-of", () => ({ policies: [] }));

/**
 * The production policy as it was when a release was published, compiled (`releases.md` L3): byte for byte what was served
 * then, as long as settings, certificates and decisions about apps are the same.
 *
 * @throws AppError 404 for a number that no release has, 409 when production had no module config then, 503 while no policy is
 *   in service; DatabaseUnavailable
 */
export async function requirePolicyAsOf(release: number): Promise<CompiledPolicy> {
  await whenFollowed();
  const runtime = findServices()?.runtime;
  const today = runtime?.snapshot;
  if (!runtime || !today) throw new AppError("unavailable");
  const known = kept.policies.find((one) => one.release === release && one.today === today);
  if (known !== undefined) return known.compiled;
  await requireRelease(release);
  const compiled = compileAsOf(release, today, runtime);
  const entry = { release, today, compiled };
  // What a revision before was made of is not asked for again.
  kept.policies = [entry, ...kept.policies.filter((one) => one.today === today && one.release !== release)].slice(
    0,
    maxKept,
  );
  compiled.catch(() => {
    kept.policies = kept.policies.filter((one) => one !== entry);
  });
  return compiled;
}

async function compileAsOf(
  release: number,
  today: PolicySnapshot,
  runtime: Pick<PolicyRuntime, "optionsFor">,
): Promise<CompiledPolicy> {
  const snapshot = await loadSnapshotAsOf(release, today);
  if (snapshot.moduleConfigs.production.length === 0) {
    throw new AppError("conflict", `As of release ${release} production had no module config, and so no policy table`);
  }
  return compilePolicy(snapshot, "production", await runtime.optionsFor(today), ignore);
}
