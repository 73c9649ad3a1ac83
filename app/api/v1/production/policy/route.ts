import { vehicleRoute } from "@/app/_api/vehicle-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = vehicleRoute("production");
