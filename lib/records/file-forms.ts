import { groupFile } from "@/lib/records/groups/file";
import { messageFile } from "@/lib/records/messages/file";
import { moduleConfigFile } from "@/lib/records/module-config/file";
import type { FileForm } from "@/lib/records/store/file-form";
import { vehicleDataFile } from "@/lib/records/vehicle-data/file";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";

/** The file formats of all families; needs no database. */
export const fileForms = {
  message: messageFile,
  vehicle_data: vehicleDataFile,
  group: groupFile,
  module_config: moduleConfigFile,
} as const satisfies Readonly<Record<RecordItemFamily, FileForm<object>>>;

/** The file format of a family, for callers that validated its items with its schema. */
export const fileForm = (family: RecordItemFamily): FileForm<object> => fileForms[family];
