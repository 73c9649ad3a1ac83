import type { RuntimeStatus } from "@/lib/policy/runtime";
import type { PolicySnapshot } from "@/lib/policy/snapshot";

export type { RuntimeStatus };

const key = Symbol.for("open-policy-server.services");

/**
 * The state of the policy runtime of this process: revision in service, counts, and whether the database is followed.
 * `null` when no runtime was made, as in tests of single routes.
 *
 * Reads the place where the server entry leaves its services instead of importing them: pages and routes need these
 * few figures, not the compiler.
 */
export function policyStatus(): RuntimeStatus | null {
  return findRuntime()?.status() ?? null;
}

/**
 * What the policies in service were compiled from: apps with their rights, permissions and the RPC specification, already
 * in memory. `null` when there is none, as in tests of single routes.
 */
export function policySnapshot(): PolicySnapshot | null {
  return findRuntime()?.snapshot ?? null;
}

interface Runtime {
  readonly status: () => RuntimeStatus;
  readonly snapshot?: PolicySnapshot | null;
}

function findRuntime(): Runtime | undefined {
  return (globalThis as { [key]?: { readonly runtime: Runtime } | undefined })[key]?.runtime;
}
