import { namesRoute } from "@/app/_api/record-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = namesRoute(
  "group",
  "Lists the names of functional groups in use",
);
