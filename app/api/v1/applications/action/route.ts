import { saveApproval } from "@/lib/apps/applications/approval";
import { actionBody } from "@/lib/apps/applications/schema";
import { decisionChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Decides about one version of an app, and optionally blocks or unblocks the app",
    needs: "edit",
    moreNeeded: { needs: "publish", what: "Anything except a block, or a step between PENDING and STAGING," },
    input: { body: actionBody },
    failures: ["conflict"],
    handle: async ({ input: { body }, writer }) => {
      await orRefuse(writer, decisionChange(body), (asker) => saveApproval(asker, body));
    },
  }),
});
