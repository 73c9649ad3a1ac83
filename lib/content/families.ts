import "server-only";
import { groupFamily } from "@/lib/content/groups/commands";
import { messageFamily } from "@/lib/content/messages/commands";
import { moduleConfigFamily } from "@/lib/content/module-config/commands";
import type { AnyFamily } from "@/lib/content/records/family";
import type { RecordItemFamily } from "@/lib/labels/release-items";
import { vehicleDataFamily } from "@/lib/content/vehicle-data/commands";

export const recordItems: Readonly<Record<RecordItemFamily, AnyFamily>> = {
  message: messageFamily,
  vehicle_data: vehicleDataFamily,
  group: groupFamily,
  module_config: moduleConfigFamily,
};
