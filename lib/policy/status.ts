import type { RuntimeStatus } from "@/lib/policy/runtime";

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
  const shared = globalThis as { [key]?: { runtime: { status(): RuntimeStatus } } | undefined };
  return shared[key]?.runtime.status() ?? null;
}
