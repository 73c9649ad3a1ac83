import { approvalsAnswer } from "@/lib/releases/answer-schema";
import { listApprovals } from "@/lib/releases/approvals/queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists changes to production that wait for approval by another person",
    needs: "read",
    answer: approvalsAnswer,
    handle: async ({ principal }) => ({ approvals: await listApprovals(principal) }),
  }),
});
