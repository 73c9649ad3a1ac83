import { groupFile } from "@/lib/content/groups/file";
import { messageFile } from "@/lib/content/messages/file";
import { moduleConfigFile } from "@/lib/content/module-config/file";
import type { FileForm } from "@/lib/content/records/file-form";
import { vehicleDataFile } from "@/lib/content/vehicle-data/file";
import type { RecordItemFamily } from "@/lib/labels/release-items";

/** The file formats of all families; needs no database. */
export const fileForms = {
  message: messageFile,
  vehicle_data: vehicleDataFile,
  group: groupFile,
  module_config: moduleConfigFile,
} as const satisfies Readonly<Record<RecordItemFamily, FileForm<object>>>;

/** The file format of a family, for callers that validated its items with its schema. */
export const fileForm = (family: RecordItemFamily): FileForm<object> => fileForms[family];
