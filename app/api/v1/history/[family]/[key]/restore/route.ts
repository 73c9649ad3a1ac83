import { restoredAnswer } from "@/lib/releases/answer-schema";
import { restoreVersion } from "@/lib/releases/items/history";
import { itemParams, restoreBody } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

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
