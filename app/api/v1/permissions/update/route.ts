import { updatePermissions } from "@/lib/apps/directory/apps/on-demand";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Updates the permission list from the app directory",
    needs: "edit",
    handle: async ({ writer }) => {
      await updatePermissions(writer);
    },
  }),
});
