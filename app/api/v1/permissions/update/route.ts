import { updatePermissions } from "@/lib/apps/directory/apps/on-demand";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Fetches permissions and their relations from the app directory, and answers when they are stored. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ summary: "Updates the permission list from the app directory", needs: "edit" }, async ({ writer }) => {
    await updatePermissions(writer);
  }),
});
