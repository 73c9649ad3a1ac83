import { promoteRoute } from "@/app/_api/record-routes";
import { promoteAllBody } from "@/lib/records/store/query";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = promoteRoute(
  "module_config",
  "Publishes the newest module config",
  promoteAllBody,
);
