import { exportRoute } from "@/app/_api/record-routes";
import { groupExportAnswer } from "@/lib/records/groups/wire";
import { findListedGroups } from "@/lib/records/groups/console-queries";
import { exportGroupsQuery } from "@/lib/records/groups/console-schema";
import { groupFiles } from "@/lib/records/groups/file";

const summary = "Exports the functional groups that match the filters of the console, as CSV or JSON";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = exportRoute(
  summary,
  groupExportAnswer,
  exportGroupsQuery,
  groupFiles,
  findListedGroups,
);
