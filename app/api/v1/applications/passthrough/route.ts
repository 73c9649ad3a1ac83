import { saveFlag } from "@/lib/apps/applications/commands";
import { passthroughBody } from "@/lib/apps/applications/schema";
import { flagChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Sets whether an app may pass unknown RPCs through",
    needs: "publish",
    input: { body: passthroughBody },
    failures: ["conflict"],
    handle: async ({ input: { body }, writer }) => {
      await orRefuse(
        writer,
        flagChange({ name: "allowUnknownRpcPassthrough", uuid: body.uuid, value: body.allow_unknown_rpc_passthrough }),
        (asker) => saveFlag(asker, body.uuid, "allowUnknownRpcPassthrough", body.allow_unknown_rpc_passthrough),
      );
    },
  }),
});
