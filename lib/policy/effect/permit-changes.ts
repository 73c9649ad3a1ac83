import type { Permits, Permitted } from "@/lib/policy/permits/permits";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import { carBuilds, type ByBuild, type CarBuild } from "@/lib/labels/head-units";
import { byLowerCase, distinct } from "@/lib/labels/order";
import { type HmiLevel, hmiLevels } from "@/lib/labels/vocabulary";

/** A single permission: an RPC at a level, or one of its parameters there. */
export interface Right {
  readonly rpc: string;
  readonly level: HmiLevel;
  /** Null for an RPC at a level. */
  readonly parameter: string | null;
}

/** Permissions by `rightKey`. */
export type Rights<T extends Right = Right> = ReadonlyMap<string, T>;
/** A permission in only one of two states, with the builds for which this is so. */
export type RightChange = Right & { readonly builds: readonly CarBuild[] };

const rightKey = ({ rpc, level, parameter }: Right): string => JSON.stringify([rpc, level, parameter]);

/** What a group allows by itself. */
export function listRights(rpcs: readonly AllowedRpc[]): Rights {
  const rights = rpcs.flatMap(({ name: rpc, levels, parameters }) =>
    levels.flatMap((level) => [null, ...(parameters ?? [])].map((parameter) => ({ rpc, level, parameter }))),
  );
  return new Map(rights.map((right) => [rightKey(right), right]));
}

/**
 * What apps gain and lose if vehicles permit something else. The only place that computes the effect of a change.
 *
 * @param builds the builds to consider; a change in any of them is reported
 */
export function comparePermits(
  before: ByBuild<Permits>,
  after: ByBuild<Permits>,
  builds: readonly CarBuild[],
): { readonly gained: Rights<RightChange>; readonly lost: Rights<RightChange> } {
  return { gained: findMissing(after, before, builds), lost: findMissing(before, after, builds) };
}

/** What `these` permit and `others` do not. */
function findMissing(
  these: ByBuild<Permits>,
  others: ByBuild<Permits>,
  builds: readonly CarBuild[],
): Rights<RightChange> {
  const missing = new Map<string, RightChange>();
  for (const build of carBuilds.filter((one) => builds.includes(one))) {
    for (const [rpc, permit] of these[build]) {
      const other = others[build].get(rpc);
      for (const level of hmiLevels) {
        for (const parameter of subtract(permit[level], other?.[level] ?? "no")) {
          const right = { rpc, level, parameter };
          const key = rightKey(right);
          missing.set(key, { ...right, builds: [...(missing.get(key)?.builds ?? []), build] });
        }
      }
    }
  }
  return missing;
}

/** Stands for all parameters. */
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

/** The change of one RPC. */
export interface RpcChange {
  readonly rpc: string;
  readonly kind: "gained" | "lost";
  readonly builds: CarBuild[];
  readonly levels: HmiLevel[];
  readonly parameters: string[];
}

/** The result of `comparePermits` by RPC, losses first. */
export function listPermitChanges(...states: Parameters<typeof comparePermits>): RpcChange[] {
  const { gained, lost } = comparePermits(...states);
  return [...listByRpc("lost", [...lost.values()]), ...listByRpc("gained", [...gained.values()])];
}

function listByRpc(kind: RpcChange["kind"], changes: readonly RightChange[]): RpcChange[] {
  return distinct(changes.map(({ rpc }) => rpc))
    .sort(byLowerCase)
    .map((rpc) => {
      const own = changes.filter((right) => right.rpc === rpc);
      return {
        rpc,
        kind,
        builds: carBuilds.filter((build) => own.some(({ builds }) => builds.includes(build))),
        levels: hmiLevels.filter((level) => own.some((one) => one.level === level && one.parameter === null)),
        parameters: distinct(own.flatMap(({ parameter }) => parameter ?? [])).sort(byLowerCase),
      };
    });
}
