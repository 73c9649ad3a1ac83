import { promoteRoute } from "@/app/_api/record-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = promoteRoute(
  "message",
  "Publishes staged consumer messages",
);
