import { approvalsAnswer } from "@/lib/content/releases/answer-schema";
import { listApprovals } from "@/lib/gate/approvals/queries";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What waits for a second person. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists changes of production that wait for the approval of another person",
      needs: "read",
      answer: approvalsAnswer,
    },
    async ({ principal }) => ({ approvals: await listApprovals(principal) }),
  ),
});
