import { bulkAnswer } from "@/lib/apps/applications/bulk/answer-schema";
import { undoDecisions } from "@/lib/apps/applications/bulk/commands";
import { bulkUndoBody } from "@/lib/apps/applications/bulk/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Restores the states that up to 500 apps had before a decision, except for apps that have changed since",
    needs: "edit",
    moreNeeded: { needs: "publish", what: "Anything but a block, or a step between PENDING and STAGING," },
    answer: bulkAnswer,
    input: { body: bulkUndoBody },
    handle: ({ input, writer }) => undoDecisions(writer, input.body),
  }),
});
