/** `exchange.md` X7. Pure. */
import { buildContent, readTree, type VehicleDataNode, TreeRefusal } from "@/lib/records/vehicle-data/rules";
import { losesOf } from "@/lib/exchange/migration/convert/limits";
import { stampsOf } from "@/lib/exchange/migration/convert/names";
import type { ConversionReport, SdlData, SdlRow } from "@/lib/exchange/migration/convert/tables";
import { groupBy } from "@/lib/vocabulary/order";

/** One record per root with its whole tree. */
export function convertVehicleData(data: SdlData, report: ConversionReport) {
  const rows = data.custom_vehicle_data;
  const childrenOf = groupBy(rows, ({ parent_id }) => parent_id ?? 0);
  return rows
    .filter(({ parent_id }) => parent_id === null)
    .flatMap((root) => {
      const what = `vehicle data ${root.name} (record ${root.id})`;
      const ids = new Map<string, number>();
      const tree = (row: SdlRow<"custom_vehicle_data">, path: string): Record<string, unknown> => {
        ids.set(path, row.id);
        const newest = new Map<string, SdlRow<"custom_vehicle_data">>();
        for (const child of childrenOf(row.id)) {
          if ((newest.get(child.name)?.id ?? 0) < child.id) newest.set(child.name, child);
        }
        const params = [...newest.values()].filter(({ is_deleted }) => !is_deleted);
        const { name, type, key, mandatory, array, min_length, max_length, min_size, max_size, min_value, max_value } =
          row;
        return {
          ...{ name, type, key, mandatory, array, min_length, max_length, min_size, max_size, min_value, max_value },
          ...(params.length > 0 && { params: params.map((child) => tree(child, `${path}\0${child.name}`)) }),
        };
      };
      try {
        const content = buildContent(readTree({ ...tree(root, root.name), is_deleted: root.is_deleted }));
        return [{ ...stampsOf(root), ...content, nodes: keepIds(content.nodes, ids) }];
      } catch (error) {
        if (!(error instanceof TreeRefusal)) throw error;
        losesOf(report, "custom_vehicle_data", what)(error.message);
        return [];
      }
    });
}

function keepIds(nodes: readonly VehicleDataNode[], ids: ReadonlyMap<string, number>): VehicleDataNode[] {
  const paths = new Map<number, string>();
  for (const { id, parentId, name } of nodes) {
    paths.set(id, parentId === null ? name : `${paths.get(parentId) ?? ""}\0${name}`);
  }
  const idOf = (id: number) => ids.get(paths.get(id) ?? "") ?? 0;
  return nodes.map((node) => ({
    ...node,
    id: idOf(node.id),
    parentId: node.parentId === null ? null : idOf(node.parentId),
  }));
}
