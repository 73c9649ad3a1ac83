import type { VehicleDataPage as ItemPage } from "@/lib/records/vehicle-data/editor-queries";
import { vehicleDataTemplate, type WireVehicleData } from "@/lib/records/vehicle-data/wire";

export const changedAt = "2026-02-11T16:20:05.000Z";

export const aWire = (partial: Partial<WireVehicleData>): WireVehicleData => ({ ...vehicleDataTemplate, ...partial });
export const scent = aWire({
  id: 20,
  name: "cabinScent",
  key: "OEM_SCENT",
  type: "Struct",
  params: [
    aWire({ id: 21, parent_id: 20, name: "label", key: "L", type: "String", max_length: 40 }),
    aWire({ id: 22, parent_id: 20, name: "zone", key: "Z", type: "Struct" }),
  ],
});
export const anItem = (partial: Partial<ItemPage> = {}): ItemPage => ({
  item: scent,
  nodeId: 20,
  environment: "staging",
  status: "STAGING",
  isPromoted: false,
  changedAt,
  usedBy: [],
  types: ["Float", "String", "Boolean", "Integer", "Struct", "PRNDL"],
  isSpecified: true,
  natives: ["speed"],
  taken: { roofAngle: 7 },
  ...partial,
});
