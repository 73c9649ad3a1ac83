import { saveFlag } from "@/lib/apps/applications/commands";
import { administratorBody } from "@/lib/apps/applications/schema";
import { flagChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Gives an app the administrator groups, or takes them away",
    needs: "publish",
    input: { body: administratorBody },
    failures: ["conflict"],
    handle: async ({ input: { body }, writer }) => {
      await orRefuse(
        writer,
        flagChange({ name: "isAdministratorApp", uuid: body.uuid, value: body.is_administrator_app }),
        (asker) => saveFlag(asker, body.uuid, "isAdministratorApp", body.is_administrator_app),
      );
    },
  }),
});
