import { saveFlag } from "@/lib/apps/applications/commands";
import { hybridBody } from "@/lib/apps/applications/schema";
import { flagChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Chooses the preferred form of a hybrid app",
    needs: "publish",
    input: { body: hybridBody },
    failures: ["conflict"],
    handle: async ({ input: { body }, writer }) => {
      await orRefuse(
        writer,
        flagChange({ name: "hybridAppPreference", uuid: body.uuid, value: body.hybrid_preference }),
        (asker) => saveFlag(asker, body.uuid, "hybridAppPreference", body.hybrid_preference),
      );
    },
  }),
});
