import { rejectRequest } from "@/lib/gate/approvals/commands";
import { approvalParams, rejectBody } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Rejects somebody else's request for approval, with a reason",
    needs: "publish",
    input: { params: approvalParams, body: rejectBody },
    failures: ["notFound", "conflict"],
    handle: ({ input, writer, principal }) =>
      rejectRequest(input.params.id, input.body.reason, { approver: principal, writer }),
  }),
});
