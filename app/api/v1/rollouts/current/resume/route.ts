import { rolloutRoute } from "@/app/_api/rollout-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = rolloutRoute(
  "resume",
  "Resumes a paused rollout, in the step that it was in",
);
