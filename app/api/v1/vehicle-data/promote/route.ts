import { promoteRoute } from "@/app/_api/record-routes";
import { promoteAllBody } from "@/lib/records/store/query";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = promoteRoute(
  "vehicle_data",
  "Publishes all staged custom vehicle data",
  promoteAllBody,
);
