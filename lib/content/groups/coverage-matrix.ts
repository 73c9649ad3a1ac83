import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { byLowerCase } from "@/lib/labels/order";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** Which group allows which RPC at which HMI levels. */
export interface CoverageMatrix {
  /** Names of the groups: the columns. */
  readonly groups: readonly string[];
  readonly rpcs: readonly CoverageRow[];
  /** Groups beyond the columns. */
  readonly moreGroups: number;
}

export interface CoverageRow {
  readonly name: string;
  /** What each of the groups says of it; null: not in it. */
  readonly cells: readonly (CoverageCell | null)[];
  /** How many of all groups hold it. */
  readonly count: number;
}

export interface CoverageCell {
  readonly levels: readonly HmiLevel[];
  /** It is listed without any parameter: no car takes that for a right, and regular ones forbid the RPC (C1). */
  readonly isVeto: boolean;
}

type MatrixGroup = Pick<SnapshotGroup, "name" | "isDeleted" | "rpcs">;

/**
 * Lays groups and RPCs out as a table. An RPC that a group names at no level is not in it. Deleted groups allow nothing.
 *
 * @param maxGroups so many columns; what the others hold only counts
 * @param allowedOf what a group allows in the table, by its name
 */
export function buildCoverageMatrix(
  all: readonly MatrixGroup[],
  maxGroups: number,
  allowedOf: (name: string) => readonly AllowedRpc[],
): CoverageMatrix {
  const groups = all.filter(({ isDeleted }) => !isDeleted);
  const columns = groups.slice(0, maxGroups);
  const counts = new Map<string, number>();
  for (const { rpcs } of groups) {
    for (const { name, levels } of rpcs) if (levels.length > 0) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const held = columns.map((group) => new Map(allowedOf(group.name).map((rpc) => [rpc.name, toCell(rpc)])));
  const rpcs = [...counts]
    .map(([name, count]) => ({ name, count, cells: held.map((cells) => cells.get(name) ?? null) }))
    .sort((a, b) => byLowerCase(a.name, b.name));
  return { groups: columns.map(({ name }) => name), rpcs, moreGroups: groups.length - columns.length };
}

const toCell = ({ levels, parameters }: AllowedRpc): CoverageCell => ({ levels, isVeto: parameters?.length === 0 });
