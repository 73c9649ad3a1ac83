import { rolloutRoute } from "@/app/_api/rollout-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = rolloutRoute(
  "advance",
  "Begins the next step of the rollout at once",
);
