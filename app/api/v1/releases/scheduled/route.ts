import { scheduledAnswer } from "@/lib/content/releases/answer-schema";
import { listScheduled } from "@/lib/gate/schedule/commands";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What is to be published at a time, and what was stopped. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists scheduled releases, and those that were stopped with the reason",
      needs: "read",
      answer: scheduledAnswer,
    },
    async () => ({ scheduled: await listScheduled() }),
  ),
});
