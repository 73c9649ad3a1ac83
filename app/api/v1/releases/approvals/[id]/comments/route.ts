import { commentOnRequest } from "@/lib/gate/approvals/commands";
import { approvalParams, commentBody } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Comments on a request for approval",
    needs: "edit",
    input: { params: approvalParams, body: commentBody },
    failures: ["notFound", "conflict"],
    handle: ({ input, writer }) => commentOnRequest(input.params.id, input.body.text, writer),
  }),
});
