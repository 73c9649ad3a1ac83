import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { toFindingsMember } from "@/lib/policy/checks/table-faults";
import { savedVehicleDataAnswer, vehicleDataListAnswer, buildWireVehicleData } from "@/lib/content/vehicle-data/wire";
import { saveVehicleData } from "@/lib/content/vehicle-data/commands";
import { loadWireVehicleData } from "@/lib/content/vehicle-data/queries";
import { vehicleDataBody, vehicleDataQuery } from "@/lib/content/vehicle-data/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  /** Custom vehicle data of a view, one tree, or the template of a new item. */
  GET: route(
    {
      summary: "Lists custom vehicle data, or gives one tree or the template of a new item",
      needs: "read",
      answer: vehicleDataListAnswer,
      input: { query: vehicleDataQuery },
    },
    ({ input }) => loadWireVehicleData(input.query),
  ),
  /** Saves a root with its whole tree as a new STAGING record. */
  POST: route(
    {
      summary: "Saves an item with its whole tree as a new staging record; also deletes and restores",
      needs: "edit",
      answer: savedVehicleDataAnswer,
      input: { body: vehicleDataBody },
    },
    async ({ input, writer }) => {
      const saved = await saveVehicleData(input.body, writer);
      return { custom_vehicle_data: [buildWireVehicleData(saved)], ...toFindingsMember(saved.findings) };
    },
  ),
});
