import { exportRoute } from "@/app/_api/record-routes";
import { findListedItems } from "@/lib/records/vehicle-data/console-queries";
import { exportVehicleDataQuery } from "@/lib/records/vehicle-data/console-schema";
import { vehicleDataFiles } from "@/lib/records/vehicle-data/file";
import { exportVehicleDataAnswer } from "@/lib/records/vehicle-data/wire";

const summary = "Exports the custom vehicle data that matches the filters of the console, as CSV or JSON";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = exportRoute(
  summary,
  exportVehicleDataAnswer,
  exportVehicleDataQuery,
  vehicleDataFiles,
  findListedItems,
);
