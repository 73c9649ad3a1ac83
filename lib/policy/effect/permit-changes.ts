import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import type { Rejection, Restriction } from "@/lib/policy/permits/conditions";
import type { Permits, Permitted } from "@/lib/policy/permits/permits";
import { carBuilds, type ByBuild, type CarBuild } from "@/lib/vocabulary/head-units";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";

/** What a build permits of an RPC at a level in only one of two states. */
export interface PermitPart {
  readonly build: CarBuild;
  readonly rpc: string;
  readonly level: HmiLevel;
  /** Null: the RPC itself. */
  readonly parameters: readonly (string | null)[];
}

/** The only place that computes the effect of a change. Reports a change in any of the `builds`. */
export function comparePermits(
  before: ByBuild<Permits>,
  after: ByBuild<Permits>,
  builds: readonly CarBuild[],
): Readonly<Record<RpcChange["kind"], readonly PermitPart[]>> {
  return { gained: [...missingParts(after, before, builds)], lost: [...missingParts(before, after, builds)] };
}

function* missingParts(
  these: ByBuild<Permits>,
  others: ByBuild<Permits>,
  builds: readonly CarBuild[],
): Generator<PermitPart> {
  for (const build of carBuilds.filter((one) => builds.includes(one))) {
    for (const [rpc, permit] of these[build]) {
      const other = others[build].get(rpc);
      // Sets of groups that agree on an RPC share its permit.
      if (permit === other) continue;
      for (const level of hmiLevels) {
        const parameters = subtract(permit[level], other?.[level] ?? "no");
        if (parameters.length > 0) yield { build, rpc, level, parameters };
      }
    }
  }
}

const everyParameter = "*";

/** Null stands for the RPC itself. All parameters are more than any list. */
function subtract(one: Permitted, other: Permitted): readonly (string | null)[] {
  if (one === "no" || other === "all") return [];
  if (other === "no") return one === "all" ? [null] : [null, ...one];
  if (one === "all") return [everyParameter];
  // Lists are in order and mostly the same, which is much faster to see than to look for each name.
  const isSame = one.length === other.length && one.every((name, at) => name === other[at]);
  return isSame ? [] : one.filter((name) => !other.includes(name));
}

export interface RpcChange {
  readonly rpc: string;
  readonly kind: "gained" | "lost";
  readonly builds: CarBuild[];
  readonly levels: HmiLevel[];
  readonly parameters: string[];
}

/** The same as `comparePermits` by RPC, losses first. */
export function listPermitChanges(
  before: ByBuild<Permits>,
  after: ByBuild<Permits>,
  builds: readonly CarBuild[],
): RpcChange[] {
  return [
    ...listByRpc("lost", missingParts(before, after, builds)),
    ...listByRpc("gained", missingParts(after, before, builds)),
  ];
}

export interface RestrictedPermits {
  readonly permits: ByBuild<Permits>;
  readonly restriction: Restriction;
}

export const leftOf = ({ permits, restriction }: RestrictedPermits): ByBuild<Permits> => restriction.restrict(permits);

/** Lists what groups permit only afterwards and cars reject, by the condition that rejects it. */
export function listRejectedGains(
  before: RestrictedPermits,
  after: RestrictedPermits,
  builds: readonly CarBuild[],
): RejectedCallsJson[] {
  const isMore = ({ rpc, levels }: Rejection) =>
    builds.some((build) => {
      const [own, other] = [after.permits[build].get(rpc), before.permits[build].get(rpc)];
      return levels.some((level) => subtract(own?.[level] ?? "no", other?.[level] ?? "no").length > 0);
    });
  const found = after.restriction.rejections.filter(isMore);
  const conditions = new Map(found.map(({ condition }) => [condition.message, condition]));
  return [...conditions.values()].map(({ rule, message, cure }) => {
    const rpcs = found.flatMap(({ rpc, condition }) => (condition.message === message ? rpc : []));
    return { rule, message, cure, rpcs: distinct(rpcs).sort(byLowerCase) };
  });
}

interface RpcParts {
  readonly builds: Set<CarBuild>;
  readonly levels: Set<HmiLevel>;
  readonly parameters: Set<string>;
}

function listByRpc(kind: RpcChange["kind"], parts: Iterable<PermitPart>): RpcChange[] {
  const byRpc = new Map<string, RpcParts>();
  for (const { build, rpc, level, parameters } of parts) {
    const known: RpcParts = byRpc.get(rpc) ?? { builds: new Set(), levels: new Set(), parameters: new Set() };
    byRpc.set(rpc, known);
    known.builds.add(build);
    for (const parameter of parameters) {
      if (parameter === null) known.levels.add(level);
      else known.parameters.add(parameter);
    }
  }
  return [...byRpc]
    .sort(([a], [b]) => byLowerCase(a, b))
    .map(([rpc, { builds, levels, parameters }]) => ({
      ...{ rpc, kind, builds: [...builds] },
      levels: hmiLevels.filter((level) => levels.has(level)),
      parameters: [...parameters].sort(byLowerCase),
    }));
}
