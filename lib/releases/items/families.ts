import "server-only";
import { groupFamily } from "@/lib/groups/commands";
import { messageFamily } from "@/lib/messages/commands";
import { moduleConfigFamily } from "@/lib/module-config/commands";
import type { AnyFamily } from "@/lib/records/family";
import type { RecordItemFamily } from "@/lib/releases/stores";
import { vehicleDataFamily } from "@/lib/vehicle-data/commands";

/** The families of versioned records by what releases call them. */
export const recordItems: Readonly<Record<RecordItemFamily, AnyFamily>> = {
  message: messageFamily,
  vehicle_data: vehicleDataFamily,
  group: groupFamily,
  module_config: moduleConfigFamily,
};
