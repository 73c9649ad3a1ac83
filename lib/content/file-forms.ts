import { groupFile } from "@/lib/content/groups/file";
import { messageFile } from "@/lib/content/messages/file";
import { moduleConfigFile } from "@/lib/content/module-config/file";
import type { FileForm } from "@/lib/content/records/file-form";
import { vehicleDataFile } from "@/lib/content/vehicle-data/file";
import type { RecordItemFamily } from "@/lib/labels/release-items";

/** The forms of all families in files; without a database. */
export const fileForms = {
  message: messageFile,
  vehicle_data: vehicleDataFile,
  group: groupFile,
  module_config: moduleConfigFile,
} as const satisfies Readonly<Record<RecordItemFamily, FileForm<object>>>;

/** The form of a family, for what has read its items by its schema. */
export const fileForm = (family: RecordItemFamily): FileForm<object> => fileForms[family];
