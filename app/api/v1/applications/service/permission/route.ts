import { saveServicePermission } from "@/lib/apps/applications/commands";
import { servicePermissionBody } from "@/lib/apps/applications/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route({
    summary: "Grants or revokes one permission of one service type for one version",
    needs: "publish",
    input: { body: servicePermissionBody },
    handle: async ({ input: { body }, writer }) => {
      await saveServicePermission(writer, body);
    },
  }),
});
