import { rejectRequest } from "@/lib/releases/approvals/decide-request";
import { approvalParams, rejectBody } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

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
