import { bulkAnswer } from "@/lib/apps/applications/bulk/answer-schema";
import { decideApps } from "@/lib/apps/applications/bulk/commands";
import { bulkBody } from "@/lib/apps/applications/bulk/schema";
import { requestForAll } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Decides about up to 500 apps, one after the other; returns the result for each",
    needs: "edit",
    moreNeeded: { needs: "publish", what: "Anything but a block, or a step between PENDING and STAGING," },
    answer: bulkAnswer,
    input: { body: bulkBody },
    handle: ({ input, writer }) => decideApps(writer, input.body, (requested) => requestForAll(writer, requested)),
  }),
});
