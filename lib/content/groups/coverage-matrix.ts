import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { cutPage, type RowPage } from "@/lib/content/records/listing";
import { byLowerCase } from "@/lib/labels/order";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** Which groups allow which RPCs at which HMI levels, limited to the part that a page shows. */
export interface CoverageMatrix {
  /** Names of the groups shown as columns. */
  readonly groups: readonly string[];
  readonly rpcs: readonly CoverageRow[];
  /** Where this part starts, and the total size. */
  readonly place: Readonly<Record<"groups" | "rpcs", { readonly after: number; readonly total: number }>>;
}

/** A part of this size has about 2,000 cells. Nobody can grasp more at once. */
export const matrixSize = { groups: 40, rpcs: 45 } as const;

export interface CoverageRow {
  readonly name: string;
  /** The cell of each group; null if the group does not contain the RPC. */
  readonly cells: readonly (CoverageCell | null)[];
  /** Number of groups that contain it, including those without a column. */
  readonly count: number;
}

export interface CoverageCell {
  readonly levels: readonly HmiLevel[];
  /** Listed without any parameter: vehicles do not treat it as a permission, and regular ones forbid the RPC (C1). */
  readonly isVeto: boolean;
}

type MatrixGroup = Pick<SnapshotGroup, "name" | "isDeleted" | "rpcs">;

/**
 * Builds one part of the table of groups and RPCs. Skips RPCs without a level. Deleted groups allow nothing.
 *
 * @param after number of groups and RPCs before the part; past the end, it is the last one
 * @param allowedOf what a group allows in the policy table, by name
 */
export function buildCoverageMatrix(
  all: readonly MatrixGroup[],
  after: Readonly<Record<"groups" | "rpcs", number>>,
  allowedOf: (name: string) => readonly AllowedRpc[],
): CoverageMatrix {
  const groups = all.filter(({ isDeleted }) => !isDeleted);
  const columns = cutPage(groups, { size: matrixSize.groups, after: after.groups });
  const counts = new Map<string, number>();
  for (const { rpcs } of groups) {
    for (const { name, levels } of rpcs) if (levels.length > 0) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort(([a], [b]) => byLowerCase(a, b));
  const rows = cutPage(names, { size: matrixSize.rpcs, after: after.rpcs });
  const held = columns.page.map((group) => new Map(allowedOf(group.name).map((rpc) => [rpc.name, toCell(rpc)])));
  const placeOf = ({ after, total }: RowPage<unknown>) => ({ after, total });
  return {
    groups: columns.page.map(({ name }) => name),
    rpcs: rows.page.map(([name, count]) => ({ name, count, cells: held.map((cells) => cells.get(name) ?? null) })),
    place: { groups: placeOf(columns), rpcs: placeOf(rows) },
  };
}

const toCell = ({ levels, parameters }: AllowedRpc): CoverageCell => ({ levels, isVeto: parameters?.length === 0 });
