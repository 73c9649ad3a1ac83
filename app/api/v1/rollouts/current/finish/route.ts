import { rolloutRoute } from "@/app/_api/rollout-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = rolloutRoute(
  "finish",
  "Finishes the rollout: all vehicles get the release",
);
