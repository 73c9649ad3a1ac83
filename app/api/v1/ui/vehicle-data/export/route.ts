import { exportRoute } from "@/app/_api/record-routes";
import { findListedItems } from "@/lib/content/vehicle-data/console-queries";
import { exportVehicleDataQuery } from "@/lib/content/vehicle-data/console-schema";
import { vehicleDataFiles } from "@/lib/content/vehicle-data/file";
import { exportVehicleDataAnswer } from "@/lib/content/vehicle-data/wire";

const summary = "Exports the custom vehicle data that matches the filters of the console, as CSV or JSON";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = exportRoute(
  summary,
  exportVehicleDataAnswer,
  exportVehicleDataQuery,
  vehicleDataFiles,
  findListedItems,
);
