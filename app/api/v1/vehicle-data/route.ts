import { methods, route } from "@/app/_api/api-route";
import { toFindingsMember } from "@/lib/policy/checks/table-faults";
import { savedVehicleDataAnswer, vehicleDataListAnswer, buildWireVehicleData } from "@/lib/records/vehicle-data/wire";
import { saveVehicleData } from "@/lib/records/vehicle-data/commands";
import { loadWireVehicleData } from "@/lib/records/vehicle-data/queries";
import { vehicleDataBody, vehicleDataQuery } from "@/lib/records/vehicle-data/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists custom vehicle data, or returns one tree or the template for a new item",
    needs: "read",
    answer: vehicleDataListAnswer,
    input: { query: vehicleDataQuery },
    handle: ({ input }) => loadWireVehicleData(input.query),
  }),
  POST: route({
    summary: "Saves an item with its whole tree as a new staging record; also deletes and restores",
    needs: "edit",
    answer: savedVehicleDataAnswer,
    input: { body: vehicleDataBody },
    handle: async ({ input, writer }) => {
      const saved = await saveVehicleData(input.body, writer);
      return { custom_vehicle_data: [buildWireVehicleData(saved)], ...toFindingsMember(saved.findings) };
    },
  }),
});
