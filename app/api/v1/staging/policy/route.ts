import { vehicleRoute } from "@/lib/routes/vehicle-route";

/** Answers a head unit's shortened table with the full staging table. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = vehicleRoute("staging");
