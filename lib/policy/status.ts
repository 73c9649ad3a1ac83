import { type HeadUnitFinding, type HeadUnitSeverity, headUnitSeverities } from "@/lib/policy/head-unit/finding";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import { AppError } from "@/lib/platform/errors";
import { findServices } from "@/lib/policy/services";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";
import { whenServed } from "@/lib/platform/process/served";

export type { RuntimeStatus };

const findRuntime = () => findServices()?.runtime ?? null;

export function policyStatus(): RuntimeStatus | null {
  return findRuntime()?.status() ?? null;
}

/** Maximum times to wait for the policies in service, in milliseconds: if the database has the answer as well, and if not. */
const [briefMs, longMs] = [2_000, 10_000];

/** Waits briefly for this process's writes on every worker (`processes.md` N5). False: read the database (N5a). */
export async function whenFollowed(timeoutMs = briefMs): Promise<boolean> {
  const runtime = findRuntime();
  if (runtime === null) return true;
  const start = performance.now();
  if (!(await runtime.caughtUp(timeoutMs))) return false;
  if (runtime.snapshot !== null) {
    await whenServed(runtime.snapshot.revision, timeoutMs - (performance.now() - start));
  }
  return true;
}

/** With all earlier writes of this process. AppError 503 without a policy, or while the newest change compiles. */
export async function requirePolicy(environment: Environment): Promise<CompiledPolicy> {
  if (!(await whenFollowed(longMs)) && findRuntime()?.isCurrent === true) {
    throw new AppError("unavailable", "The newest change is still being compiled: try again in a few seconds");
  }
  const policy = findServices()?.runtime.policy(environment);
  if (!policy) throw new AppError("unavailable");
  return policy;
}

/** A finding and the app of its entry; null if every table contains it. */
export type SeenFinding = HeadUnitFinding & { readonly uuid: string | null };

/** Refusals first: in sections of every table, and in entries of checked apps (rule G9). Empty without a runtime. */
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

interface Refusal {
  readonly count: number;
  readonly message: string;
  readonly path: string;
}

export function findRefusedTables(): Readonly<Record<Environment, Refusal | null>> {
  const refusal = (environment: Environment): Refusal | null => {
    const refused = listFindings(environment).filter(({ severity }) => severity === "refused");
    const [first] = refused;
    return first ? { count: refused.length, message: first.message, path: first.path } : null;
  };
  return { staging: refusal("staging"), production: refusal("production") };
}

const maxTold = 50;

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

/** The snapshot of the policies in service, already in memory. Null if there is none, as in tests of single routes. */
export function policySnapshot(): PolicySnapshot | null {
  return findRuntime()?.snapshot ?? null;
}

/** The same, only while it is known to match the database: not if it is from disk, or the database is unreadable. */
export function followedSnapshot(): PolicySnapshot | null {
  return findRuntime()?.isCurrent === true ? policySnapshot() : null;
}
