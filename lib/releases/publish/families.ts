import "server-only";
import { groupFamily } from "@/lib/groups/commands";
import { messageFamily } from "@/lib/messages/commands";
import { moduleConfigFamily } from "@/lib/module-config/commands";
import type { AnyFamily } from "@/lib/records/family";
import type { RecordItemFamily } from "@/lib/releases/stores";
import { vehicleDataFamily } from "@/lib/vehicle-data/commands";

/** How the records of items are stored, in the order in which a release lists them. */
export const recordFamilyOf: Readonly<Record<RecordItemFamily, AnyFamily>> = {
  message: messageFamily,
  vehicle_data: vehicleDataFamily,
  group: groupFamily,
  module_config: moduleConfigFamily,
};
