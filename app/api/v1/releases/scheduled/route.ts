import { scheduledAnswer } from "@/lib/releases/answer-schema";
import { listScheduled } from "@/lib/releases/schedule/commands";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists scheduled releases, and stopped ones with the reason",
    needs: "read",
    answer: scheduledAnswer,
    handle: async () => ({ scheduled: await listScheduled() }),
  }),
});
