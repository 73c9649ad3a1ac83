import { methods, route } from "@/app/_api/api-route";
import { vehicleDataTypesAnswer } from "@/lib/records/vehicle-data/wire";
import { loadWireTypes } from "@/lib/records/vehicle-data/queries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the types that custom vehicle data may have",
    needs: "read",
    answer: vehicleDataTypesAnswer,
    handle: async () => ({ type: await loadWireTypes() }),
  }),
});
