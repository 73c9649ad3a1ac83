import { bulkPreviewAnswer } from "@/lib/apps/applications/bulk/answer-schema";
import { previewBulk } from "@/lib/apps/applications/bulk/preview";
import { bulkPreviewBody } from "@/lib/apps/applications/bulk/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary:
      "Returns what a decision about up to 500 apps would change for each, and to which it does not apply; stores nothing",
    needs: "read",
    answer: bulkPreviewAnswer,
    input: { body: bulkPreviewBody },
    storesNothing: true,
    handle: ({ input, principal }) => previewBulk(input.body, principal?.role ?? null),
  }),
});
