import "server-only";
import { groupFamily } from "@/lib/records/groups/commands";
import { messageFamily } from "@/lib/records/messages/commands";
import { moduleConfigFamily } from "@/lib/records/module-config/commands";
import type { AnyFamily } from "@/lib/records/store/family";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import { vehicleDataFamily } from "@/lib/records/vehicle-data/commands";

export const recordItems: Readonly<Record<RecordItemFamily, AnyFamily>> = {
  message: messageFamily,
  vehicle_data: vehicleDataFamily,
  group: groupFamily,
  module_config: moduleConfigFamily,
};
