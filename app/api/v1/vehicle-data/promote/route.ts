import { promote } from "@/lib/gate/approvals/ask";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { promoteVehicleDataBody } from "@/lib/content/vehicle-data/schema";

/** Publishes everything that waits, deletions included; a body is not needed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    {
      summary: "Publishes all staged custom vehicle data",
      needs: "publish",
      failures: ["conflict"],
      input: { body: promoteVehicleDataBody },
    },
    ({ input, writer }) => promote("vehicle_data", input.body, writer),
  ),
});
