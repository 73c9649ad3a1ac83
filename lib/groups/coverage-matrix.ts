import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { byLowerCase } from "@/lib/words/order";
import type { HmiLevel } from "@/lib/words/vocabulary";

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
  /** The levels in each of the groups; null: not in it. */
  readonly cells: readonly (readonly HmiLevel[] | null)[];
  /** How many of all groups hold it. */
  readonly count: number;
}

type MatrixGroup = Pick<SnapshotGroup, "name" | "isDeleted" | "rpcs">;

/**
 * Lays groups and RPCs out as a table. An RPC that a group names at no level is not in it. Deleted groups allow nothing.
 *
 * @param mostGroups so many columns; what the others hold only counts
 */
export function buildCoverageMatrix(all: readonly MatrixGroup[], mostGroups: number): CoverageMatrix {
  const groups = all.filter(({ isDeleted }) => !isDeleted);
  const columns = groups.slice(0, mostGroups);
  const counts = new Map<string, number>();
  for (const { rpcs } of groups) {
    for (const { name, levels } of rpcs) if (levels.length > 0) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const held = columns.map(({ rpcs }) => new Map(rpcs.map(({ name, levels }) => [name, levels])));
  const rpcs = [...counts]
    .map(([name, count]) => ({ name, count, cells: held.map((levels) => filled(levels.get(name))) }))
    .sort((a, b) => byLowerCase(a.name, b.name));
  return { groups: columns.map(({ name }) => name), rpcs, moreGroups: groups.length - columns.length };
}

const filled = (levels: readonly HmiLevel[] | undefined) => (levels && levels.length > 0 ? levels : null);
