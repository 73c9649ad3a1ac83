import { methods, route } from "@/app/_api/api-route";
import { segmentAnswer } from "@/lib/policy/answer/answer-schema";
import { buildSegment } from "@/lib/policy/preview";
import { requirePolicy } from "@/lib/policy/status";
import { segmentBody, segmentQuery } from "@/lib/policy/answer/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Shows the entries that some apps get",
    needs: "read",
    answer: segmentAnswer,
    input: { query: segmentQuery, body: segmentBody },
    errorMember: true,
    anyBytes: true,
    handle: async ({ input }) =>
      buildSegment(await requirePolicy(input.query.environment ?? input.body.environment), input.body.policy_table),
  }),
});
