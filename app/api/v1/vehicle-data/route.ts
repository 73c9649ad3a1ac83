import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { saveVehicleData } from "@/lib/vehicle-data/commands";
import { loadWireVehicleData } from "@/lib/vehicle-data/queries";
import { vehicleDataBody, vehicleDataQuery } from "@/lib/vehicle-data/schema";
import { buildWireVehicleData } from "@/lib/vehicle-data/wire";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  /** Custom vehicle data of a view, one tree, or the template of a new item. */
  GET: route({ auth: "admin", input: { query: vehicleDataQuery } }, ({ input }) => loadWireVehicleData(input.query)),
  /** Saves a root with its whole tree as a new STAGING record. */
  POST: route({ auth: "admin", input: { body: vehicleDataBody } }, async ({ input, writer }) => ({
    custom_vehicle_data: [buildWireVehicleData(await saveVehicleData(input.body, writer))],
  })),
});
