import { saveFlag } from "@/lib/apps/applications/commands";
import { priorityBody } from "@/lib/apps/applications/schema";
import { flagChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Sets the priority of an app",
    needs: "publish",
    input: { body: priorityBody },
    failures: ["conflict"],
    handle: async ({ input: { body }, writer }) => {
      const { uuid, priority } = body;
      await orRefuse(writer, flagChange({ name: "priority", uuid, value: priority }), (asker) =>
        saveFlag(asker, uuid, "priority", priority),
      );
    },
  }),
});
