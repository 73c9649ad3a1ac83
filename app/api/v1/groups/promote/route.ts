import { promoteRoute } from "@/app/_api/record-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = promoteRoute(
  "group",
  "Publishes staged functional groups",
);
