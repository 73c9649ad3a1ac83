import { saveNotification, isAppliedSoon, webhookBody } from "@/lib/apps/directory/queue/webhook-commands";
import { methods, route } from "@/app/_api/api-route";
import { log } from "@/lib/platform/log";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Accepts a notification that an app has changed in the app directory",
    needs: "webhook",
    input: { body: webhookBody },
    handle: async ({ input, ...call }) => {
      const outcome = await saveNotification(input.body);
      if (outcome === "queued" && !(await isAppliedSoon(input.body.uuid, call.startedAt))) {
        call.say("Queued: the server reads the app from the directory in the background");
      }
      if (outcome === "unnamed") log.warn({ request_id: call.requestId }, "webhook without a usable uuid ignored");
    },
  }),
});
