import { saveServicePermission } from "@/lib/apps/applications/commands";
import { servicePermissionBody } from "@/lib/apps/applications/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Grants or revokes one permission of one service type for one version. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(
    {
      summary: "Grants or withdraws one permission of one service type for one version",
      needs: "publish",
      input: { body: servicePermissionBody },
    },
    async ({ input: { body }, writer }) => {
      await saveServicePermission(writer, body);
    },
  ),
});
