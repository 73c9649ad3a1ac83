import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { vehicleDataTypesAnswer } from "@/lib/content/vehicle-data/wire";
import { loadWireTypes } from "@/lib/content/vehicle-data/queries";

/** The types that custom vehicle data may have. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    { summary: "Lists the types that custom vehicle data may have", needs: "read", answer: vehicleDataTypesAnswer },
    async () => ({ type: await loadWireTypes() }),
  ),
});
