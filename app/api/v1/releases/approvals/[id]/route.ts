import { AppError } from "@/lib/platform/errors";
import { approvalAnswer, approvedAnswer } from "@/lib/releases/answer-schema";
import { approveRequest, withdrawRequest } from "@/lib/releases/approvals/decide-request";
import { reviewRequest } from "@/lib/releases/approvals/review-request";
import { approvalParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns a request for approval with what it does: items, checks and effect",
    needs: "read",
    answer: approvalAnswer,
    input: { params: approvalParams },
    failures: ["notFound"],
    handle: ({ input, principal }) => reviewRequest(input.params.id, principal),
  }),
  POST: route({
    summary: "Approves somebody else's request, and makes the change",
    needs: "publish",
    answer: approvedAnswer,
    input: { params: approvalParams },
    failures: ["notFound", "conflict"],
    handle: ({ input, writer, principal }) => {
      if (principal === null) throw new AppError("unauthorized");
      return approveRequest(input.params.id, principal, writer);
    },
  }),
  DELETE: route({
    summary: "Withdraws the caller's own request for approval",
    needs: "publish",
    input: { params: approvalParams },
    failures: ["notFound"],
    handle: ({ input, writer, principal }) => withdrawRequest(input.params.id, { reader: principal, writer }),
  }),
});
