import "server-only";
import { AppError } from "@/lib/errors";
import type { CompiledPolicy } from "@/lib/policy/compiled-policy";
import type { Environment } from "@/lib/policy/vocabulary";
import { findServices } from "@/lib/server/services";

/**
 * The policy in service.
 *
 * @throws AppError 503 while there is none
 */
export function requirePolicy(environment: Environment): CompiledPolicy {
  const policy = findServices()?.runtime.policy(environment);
  if (!policy) throw new AppError("unavailable");
  return policy;
}
