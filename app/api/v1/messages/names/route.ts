import { namesRoute } from "@/app/_api/record-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = namesRoute(
  "message",
  "Lists the categories of consumer messages in use",
);
