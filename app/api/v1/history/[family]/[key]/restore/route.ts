import { restoredAnswer } from "@/lib/content/releases/answer-schema";
import { restoreVersion } from "@/lib/gate/items/history";
import { itemParams, restoreBody } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Restores an older version of an item as a new version in staging",
    needs: "edit",
    answer: restoredAnswer,
    input: { params: itemParams, body: restoreBody },
    failures: ["notFound"],
    handle: async ({ input, writer }) => ({ id: await restoreVersion(input.params, input.body, writer) }),
  }),
});
