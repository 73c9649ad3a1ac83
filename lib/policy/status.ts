import { type HeadUnitFinding, type HeadUnitSeverity, headUnitSeverities } from "@/lib/policy/head-unit/finding";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import { AppError } from "@/lib/platform/errors";
import { findServices } from "@/lib/policy/services";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/labels/vocabulary";
import { whenServed } from "@/lib/platform/process/served";

export type { RuntimeStatus };

/** The policy runtime of this process; null when none was made, as in tests of single routes. */
const findRuntime = () => findServices()?.runtime ?? null;

/** The state of the policy runtime of this process: revision in service, counts, and whether the database is followed. */
export function policyStatus(): RuntimeStatus | null {
  return findRuntime()?.status() ?? null;
}

/** Whoever asks what is in service waits no longer than this for it, in milliseconds. */
const timeoutMs = 2_000;

/**
 * Waits a moment until what this process has written before is in the policies in service, here and on every vehicle worker
 * (`processes.md` N5), so that whoever was answered "done" sees it done. Not while the database cannot be read.
 */
export async function whenFollowed(): Promise<void> {
  const runtime = findRuntime();
  if (runtime === null) return;
  const start = performance.now();
  if (!(await runtime.caughtUp(timeoutMs)) || runtime.snapshot === null) return;
  await whenServed(runtime.snapshot.revision, timeoutMs - (performance.now() - start));
}

/**
 * The policy in service, with everything that this process has written before.
 *
 * @throws AppError 503 while there is none
 */
export async function requirePolicy(environment: Environment): Promise<CompiledPolicy> {
  await whenFollowed();
  const policy = findServices()?.runtime.policy(environment);
  if (!policy) throw new AppError("unavailable");
  return policy;
}

/** A finding, and the app whose entry it is about; null when every table holds it. */
export type SeenFinding = HeadUnitFinding & { readonly uuid: string | null };

/**
 * What head units would object to in the table of an environment (rule G9), refusals first: in what every table holds, and
 * in the entries of apps that were looked at. Empty while there is no runtime.
 */
export function listFindings(environment: Environment): readonly SeenFinding[] {
  const runtime = findRuntime();
  if (runtime === null) return [];
  const shared = runtime.findings(environment).map((finding) => ({ ...finding, uuid: null }));
  const own = runtime
    .appFindings(environment)
    .flatMap(({ uuid, findings }) => findings.map((finding) => ({ ...finding, uuid })));
  const rank = ({ severity }: HeadUnitFinding) => headUnitSeverities.indexOf(severity);
  return [...shared, ...own].sort((a, b) => rank(a) - rank(b));
}

/** For what head units would refuse a table: how many reasons, and the first of them. */
export interface Refusal {
  readonly count: number;
  readonly message: string;
  readonly path: string;
}

/** Whether head units would refuse the tables of each environment; null where they would not. */
export function findRefusedTables(): Readonly<Record<Environment, Refusal | null>> {
  const refusal = (environment: Environment): Refusal | null => {
    const refused = listFindings(environment).filter(({ severity }) => severity === "refused");
    const [first] = refused;
    return first ? { count: refused.length, message: first.message, path: first.path } : null;
  };
  return { staging: refusal("staging"), production: refusal("production") };
}

/** Findings told at once: of thousands nobody reads the rest. */
const maxTold = 50;

/** The findings of both environments in figures, and the first of them in full. */
export function summarizeFindings() {
  const summary = (environment: Environment) => {
    const findings = listFindings(environment);
    const count = (severity: HeadUnitSeverity) => findings.filter((one) => one.severity === severity).length;
    return {
      ...{
        refused: count("refused"),
        stranded: count("stranded"),
        danger: count("danger"),
        corrected: count("corrected"),
      },
      findings: findings.slice(0, maxTold),
    };
  };
  return { staging: summary("staging"), production: summary("production") };
}

/**
 * What the policies in service were compiled from: apps with their rights, permissions and the RPC specification, already
 * in memory. Null when there is none, as in tests of single routes.
 */
export function policySnapshot(): PolicySnapshot | null {
  return findRuntime()?.snapshot ?? null;
}

/** The same, while it is known to be of the database: not what was kept on disk, and not while the database cannot be read. */
export function followedSnapshot(): PolicySnapshot | null {
  return findRuntime()?.isCurrent === true ? policySnapshot() : null;
}
