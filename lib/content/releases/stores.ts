import type { RecordFamilyName } from "@/lib/platform/db/heads";
import type { ItemFamily } from "@/lib/content/releases/vocabulary";

/** Items that are versioned records; apps are not. */
export type RecordItemFamily = Exclude<ItemFamily, "app">;

/** Where the records of items are stored, in the order in which a release lists them. */
export const itemStores = {
  message: "messages",
  vehicle_data: "vehicleData",
  group: "groups",
  module_config: "moduleConfigs",
} as const satisfies Readonly<Record<RecordItemFamily, RecordFamilyName>>;
