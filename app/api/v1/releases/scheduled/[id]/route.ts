import { scheduledAnswer } from "@/lib/releases/answer-schema";
import { cancelScheduled, moveScheduled } from "@/lib/releases/schedule/commands";
import { moveBody, scheduledParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    summary: "Reschedules a scheduled release; a stopped one becomes active again",
    needs: "publish",
    answer: scheduledAnswer,
    input: { params: scheduledParams, body: moveBody },
    failures: ["notFound", "conflict"],
    handle: async ({ input, writer }) => ({
      scheduled: [await moveScheduled(input.params.id, input.body.at, writer)],
    }),
  }),
  DELETE: route({
    summary: "Cancels a scheduled release",
    needs: "publish",
    input: { params: scheduledParams },
    failures: ["notFound"],
    handle: ({ input, writer }) => cancelScheduled(input.params.id, writer),
  }),
});
