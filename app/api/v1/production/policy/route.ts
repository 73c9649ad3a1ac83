import { vehicleRoute } from "@/lib/routes/vehicle-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = vehicleRoute("production");
