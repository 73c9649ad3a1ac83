import { scheduledAnswer } from "@/lib/content/releases/answer-schema";
import { listScheduled } from "@/lib/gate/schedule/commands";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists scheduled releases, and stopped ones with the reason",
    needs: "read",
    answer: scheduledAnswer,
    handle: async () => ({ scheduled: await listScheduled() }),
  }),
});
