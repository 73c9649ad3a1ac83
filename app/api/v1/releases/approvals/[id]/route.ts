import { AppError } from "@/lib/platform/errors";
import { approvedAnswer } from "@/lib/content/releases/answer-schema";
import { approveRequest, withdrawRequest } from "@/lib/gate/approvals/commands";
import { approvalParams } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
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
    summary: "Withdraws or rejects a request for approval",
    needs: "publish",
    input: { params: approvalParams },
    failures: ["notFound"],
    handle: ({ input, writer }) => withdrawRequest(input.params.id, writer),
  }),
});
