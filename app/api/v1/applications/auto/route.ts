import { autoAnswer } from "@/lib/apps/applications/answer-schema";
import { saveAutoApproval } from "@/lib/apps/applications/commands";
import { autoBody } from "@/lib/apps/applications/schema";
import { flagChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

/** Returns the versions that still await a decision. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Turns automatic approval of future versions of an app on or off",
    needs: "publish",
    input: { body: autoBody },
    failures: ["conflict"],
    answer: autoAnswer,
    handle: async ({ input: { body }, writer }) => {
      const { uuid, is_auto_approved_enabled: value } = body;
      let pending: readonly number[] = [];
      await orRefuse(writer, flagChange({ name: "isAutoApprovedEnabled", uuid, value }), async (asker) => {
        pending = await saveAutoApproval(asker, uuid, value);
      });
      if (pending.length === 0) return {};
      const message = "Automatic approval applies to later versions; these still need a decision";
      return { message, pending_ids: pending };
    },
  }),
});
