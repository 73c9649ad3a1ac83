import { rolloutRoute } from "@/app/_api/rollout-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = rolloutRoute(
  "cancel",
  "Calls the rollout off: production is rolled back to the release before, for all vehicles",
);
