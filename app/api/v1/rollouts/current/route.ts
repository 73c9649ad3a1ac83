import { rolloutAnswer } from "@/lib/releases/answer-schema";
import { loadRollout } from "@/lib/releases/rollout/queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the release that is being rolled out, null if none is",
    needs: "read",
    answer: rolloutAnswer,
    handle: async () => ({ rollout: await loadRollout() }),
  }),
});
