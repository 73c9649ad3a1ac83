"one per process";

import "server-only";
import { AppError } from "@/lib/platform/errors";
import type { PolicyRuntime } from "@/lib/policy/runtime";
import { findServices } from "@/lib/policy/services";
import { atOnePointInTime } from "@/lib/policy/snapshot/load-snapshot";
import { mapViews } from "@/lib/policy/snapshot/families";
import { loadRecordsAsOf } from "@/lib/policy/snapshot/shared-parts";
import { loadState } from "@/lib/releases/review/changes";
import { type CompiledPolicy, compilePolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { createPacer } from "@/lib/platform/process/pacer";
import { requireRelease } from "@/lib/releases/queries";

const ignore = () => undefined;

/** Groups, messages, vehicle data and module config as of a release (`releases.md` L3); all else is from `today`. */
export async function loadSnapshotAsOf(release: number, today: PolicySnapshot): Promise<PolicySnapshot> {
  const pace = createPacer();
  const records = await atOnePointInTime((session) => loadRecordsAsOf(release, session, pace));
  const views = mapViews((source) => ({
    staging: source.viewsOf(today).staging,
    production: source.listOf(records),
  }));
  return { ...today, ...views, rollout: null };
}

/** People rarely compare more. */
const maxKept = 4;

interface KeptPolicy {
  readonly release: number;
  readonly today: PolicySnapshot;
  readonly compiled: Promise<CompiledPolicy>;
}
let kept: readonly KeptPolicy[] = [];

/**
 * The production policy as of a release (`releases.md` L3). Throws AppError 404 for an unknown release, 409 if
 * production had no module config then, 503 while no policy is in service; DatabaseUnavailable.
 */
export async function requirePolicyAsOf(release: number): Promise<CompiledPolicy> {
  const runtime = findServices()?.runtime;
  if (!runtime?.snapshot) throw new AppError("unavailable");
  const today = await loadState();
  const known = kept.find((one) => one.release === release && one.today === today);
  if (known !== undefined) return known.compiled;
  await requireRelease(release);
  const compiled = compileAsOf(release, today, runtime);
  const entry = { release, today, compiled };
  // Policies compiled for an earlier revision will not be requested again.
  kept = [entry, ...kept.filter((one) => one.today === today && one.release !== release)].slice(0, maxKept);
  compiled.catch(() => {
    kept = kept.filter((one) => one !== entry);
  });
  return compiled;
}

async function compileAsOf(
  release: number,
  today: PolicySnapshot,
  runtime: Pick<PolicyRuntime, "optionsFor" | "policy">,
): Promise<CompiledPolicy> {
  const snapshot = await loadSnapshotAsOf(release, today);
  if (snapshot.moduleConfigs.production.length === 0) {
    throw new AppError("conflict", `As of release ${release} production had no module config, and so no policy table`);
  }
  const served = runtime.policy("production");
  const options = await runtime.optionsFor(today);
  return compilePolicy(snapshot, "production", options, ignore, { similar: served === null ? [] : [served] });
}
