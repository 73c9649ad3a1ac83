import { z } from "zod";
import type { CsvValue } from "@/lib/platform/http/csv";
import {
  canonical,
  describeState,
  type ExportForm,
  type FileForm,
  filledName,
  knownMembers,
  membersOf,
} from "@/lib/records/store/file-form";
import type { VehicleDataRecord } from "@/lib/records/vehicle-data/rules";
import { buildRecordBody, buildWireVehicleData, type WireVehicleData } from "@/lib/records/vehicle-data/wire";

const limit = z.number().optional();
export const vehicleDataItem = z
  .strictObject(
    {
      name: filledName,
      key: filledName,
      type: filledName,
      mandatory: z.boolean().optional(),
      array: z.boolean().optional(),
      min_length: limit,
      max_length: limit,
      min_size: limit,
      max_size: limit,
      min_value: limit,
      max_value: limit,
      get params() {
        return z.array(vehicleDataItem).optional();
      },
    },
    knownMembers,
  )
  .meta({ id: "ExchangeVehicleData" });

type VehicleDataItem = z.output<typeof vehicleDataItem>;

export const vehicleDataFile = {
  member: "vehicle_data",
  place: "vehicle-data",
  schema: vehicleDataItem,
  keyOf: ({ name }) => name,
  itemOf: (body) => {
    const { is_deleted: _, ...tree } = membersOf(body);
    return canonical(tree);
  },
  bodyOf: (item) => ({ ...item, is_deleted: false }),
} as const satisfies FileForm<VehicleDataItem>;

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

function listLines(node: WireVehicleData, start: readonly CsvValue[], above: readonly string[]): CsvValue[][] {
  const path = [...above, node.name ?? ""];
  const line = [...start, path.join(" > "), ...nodeColumns.map((name) => node[name])];
  return [line, ...node.params.flatMap((child) => listLines(child, start, path))];
}
