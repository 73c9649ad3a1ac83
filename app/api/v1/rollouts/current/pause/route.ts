import { rolloutRoute } from "@/app/_api/rollout-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = rolloutRoute(
  "pause",
  "Pauses the rollout: no vehicle gets the release that does not get it already",
);
