import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { exportVehicleDataAnswer } from "@/lib/content/vehicle-data/wire";
import { exportVehicleDataQuery } from "@/lib/content/vehicle-data/console-schema";
import { findListedItems } from "@/lib/content/vehicle-data/console-queries";
import { vehicleDataFiles } from "@/lib/content/vehicle-data/file";
import { exportRecords } from "@/lib/content/records/export";

/** What the console's list of custom vehicle data shows, all of it, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Exports the custom vehicle data that the filters of the console let pass, as a table or as JSON",
      needs: "read",
      answer: exportVehicleDataAnswer,
      fileTypes: ["text/csv", "application/json"],
      input: { query: exportVehicleDataQuery },
    },
    async ({ input: { query } }) => exportRecords(vehicleDataFiles, await findListedItems(query), query, new Date()),
  ),
});
