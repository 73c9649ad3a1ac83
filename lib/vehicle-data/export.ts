import { type CsvValue } from "@/lib/http/csv";
import { describeState, type ExportForm } from "@/lib/records/export";
import { type VehicleDataRecord } from "@/lib/vehicle-data/rules";
import { buildRecordBody, buildWireVehicleData, type WireVehicleData } from "@/lib/vehicle-data/wire";

const nodeColumns = [
  "name",
  "type",
  "key",
  "array",
  "mandatory",
  "min_value",
  "max_value",
  "min_length",
  "max_length",
  "min_size",
  "max_size",
] as const;

/**
 * Items as files, with all that is inside: a table with one line for each node, or bodies that `POST vehicle-data` takes one
 * by one.
 */
export const vehicleDataFiles: ExportForm<VehicleDataRecord> = {
  name: "vehicle-data",
  member: "custom_vehicle_data",
  toBody: buildRecordBody,
  columns: ["item", "status", "path", ...nodeColumns],
  lines: (item) => {
    const tree = buildWireVehicleData(item);
    return tree === null ? [] : listLines(tree, [item.name, describeState(item)], []);
  },
};

/** The line of a node and those of what is inside. */
function listLines(node: WireVehicleData, start: readonly CsvValue[], above: readonly string[]): CsvValue[][] {
  const path = [...above, node.name ?? ""];
  const line = [...start, path.join(" > "), ...nodeColumns.map((name) => node[name])];
  return [line, ...node.params.flatMap((child) => listLines(child, start, path))];
}
