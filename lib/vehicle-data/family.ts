import "server-only";
import { type RecordFamily } from "@/lib/records/family";
import { loadVehicleDataRecords } from "@/lib/vehicle-data/queries";
import { renumberNodes, type VehicleDataContent, type VehicleDataRecord } from "@/lib/vehicle-data/rules";
import { buildWireVehicleData } from "@/lib/vehicle-data/wire";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";

/** Custom vehicle data as versioned records, one for a root with its whole tree; the key is its name (`api.md` 14). */
export const vehicleDataFamily: RecordFamily<VehicleDataContent, VehicleDataRecord> = {
  name: "vehicleData",
  area: "vehicle-data",
  saveVerb: ({ isDeleted }) => (isDeleted ? "delete" : "save"),
  keyOf: ({ name }) => name,
  targetOf: ({ name }) => `vehicle-data:${name}`,
  subjectOf: () => "This item",
  // An item can be given another name: it is the first of that one, whatever it was before.
  takesOverNames: true,
  load: loadVehicleDataRecords,
  toJson: (record) => Promise.resolve(buildWireVehicleData(record)),
  // Every node has an id of its own; that of the root is the record's.
  number: async (tx, items) => {
    const count = items.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const ids = await tx.nextIds("custom_vehicle_data", count);
    let used = 0;
    return items.map((item) => {
      const own = ids.slice(used, (used += item.nodes.length));
      return { ...item, id: own[0] ?? 0, nodes: renumberNodes(item.nodes, own) };
    });
  },
  insert: async ({ session }, items) => {
    const documents = items.map(({ id, nodes, ...members }) => ({ ...members, nodes: [...nodes], _id: id }));
    await CustomVehicleDataModel.insertMany(documents, { session, timestamps: false });
  },
};
