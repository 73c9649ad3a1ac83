import { methods, route } from "@/app/_api/api-route";
import { policyAnswer } from "@/lib/policy/answer/answer-schema";
import { buildPreview } from "@/lib/policy/preview";
import { requirePolicy } from "@/lib/policy/status";
import { previewQuery } from "@/lib/policy/answer/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Shows the policy table of an environment without app entries",
    needs: "read",
    answer: policyAnswer,
    input: { query: previewQuery },
    handle: async ({ input }) => buildPreview(await requirePolicy(input.query.environment)),
  }),
});
