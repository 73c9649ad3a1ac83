import type { Permits, Permitted } from "@/lib/policy/permits/permits";
import { allowRegistration } from "@/lib/policy/checks/table-faults";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { carBuilds, type ByBuild, type CarBuild } from "@/lib/labels/head-units";
import { byLowerCase, distinct } from "@/lib/labels/order";
import { type HmiLevel, hmiLevels, registrationRpc } from "@/lib/labels/vocabulary";

/** One thing that is permitted: an RPC at a level, or a parameter of it there. Equal rights are one object. */
export interface Right {
  readonly rpc: string;
  readonly level: HmiLevel;
  /** Null for an RPC at a level. */
  readonly parameter: string | null;
}

/** Rights that change, with the builds in whose cars they do. */
export type RightChanges = ReadonlyMap<Right, readonly CarBuild[]>;

/** Keeps one object for each right, so that sets of rights can be compared. */
export class RightTable {
  readonly #rights = new Map<string, Right>();

  get(rpc: string, level: HmiLevel, parameter: string | null): Right {
    const key = JSON.stringify([rpc, level, parameter]);
    const known = this.#rights.get(key);
    if (known !== undefined) return known;
    const right = { rpc, level, parameter };
    this.#rights.set(key, right);
    return right;
  }
}

/** What a group says by itself. */
export function listRights(rpcs: readonly AllowedRpc[], table: RightTable): ReadonlySet<Right> {
  return new Set(
    rpcs.flatMap(({ name, levels, parameters }) =>
      levels.flatMap((level) => [null, ...(parameters ?? [])].map((one) => table.get(name, level, one))),
    ),
  );
}

/**
 * What apps gain and lose when cars permit something else: the one place where the effect of a change is found out.
 *
 * @param builds those that are looked at; what changes in any of them is told
 */
export function comparePermits(
  before: ByBuild<Permits>,
  after: ByBuild<Permits>,
  builds: readonly CarBuild[],
  table: RightTable,
): { readonly gained: RightChanges; readonly lost: RightChanges } {
  return { gained: findMissing(after, before, builds, table), lost: findMissing(before, after, builds, table) };
}

/** What these permit and the others do not. */
function findMissing(
  these: ByBuild<Permits>,
  others: ByBuild<Permits>,
  builds: readonly CarBuild[],
  table: RightTable,
): RightChanges {
  const missing = new Map<Right, readonly CarBuild[]>();
  for (const build of carBuilds.filter((one) => builds.includes(one))) {
    for (const [rpc, permit] of these[build]) {
      const other = others[build].get(rpc);
      for (const level of hmiLevels) {
        for (const parameter of subtract(permit[level], other?.[level] ?? "no")) {
          const right = table.get(rpc, level, parameter);
          missing.set(right, [...(missing.get(right) ?? []), build]);
        }
      }
    }
  }
  return missing;
}

/** What is said of parameters that no list names. */
export const everyParameter = "*";

/** Null stands for the RPC itself. All parameters are more than any list. */
function subtract(one: Permitted, other: Permitted): readonly (string | null)[] {
  if (one === "no" || other === "all") return [];
  if (other === "no") return one === "all" ? [null] : [null, ...one];
  return one === "all" ? [everyParameter] : one.filter((name) => !other.includes(name));
}

/** What becomes of one RPC. */
export interface RpcChange {
  readonly rpc: string;
  readonly kind: "gained" | "lost";
  readonly builds: CarBuild[];
  readonly levels: HmiLevel[];
  readonly parameters: string[];
}

/** By RPC: what is said of one stands together. */
export function listByRpc(kind: RpcChange["kind"], changes: RightChanges): RpcChange[] {
  return distinct([...changes.keys()].map(({ rpc }) => rpc))
    .sort(byLowerCase)
    .map((rpc) => {
      const own = [...changes].filter(([right]) => right.rpc === rpc);
      const rights = own.map(([right]) => right);
      return {
        rpc,
        kind,
        builds: carBuilds.filter((build) => own.some(([, builds]) => builds.includes(build))),
        levels: hmiLevels.filter((level) => rights.some((one) => one.level === level && one.parameter === null)),
        parameters: distinct(rights.flatMap(({ parameter }) => parameter ?? [])).sort(byLowerCase),
      };
    });
}

/** Whether apps can register (rule G10): every app gets its right to from the groups that every app has. */
export function allowsRegistration(groups: readonly SnapshotGroup[]): boolean {
  return groups.some(
    ({ isDefault, isDeleted, rpcs }) =>
      isDefault && !isDeleted && rpcs.some(({ name, levels }) => name === registrationRpc && allowRegistration(levels)),
  );
}
