import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { countPermissions } from "@/lib/permissions/queries";

/** The permission list. The directory is not asked yet: the stored list stays as it is, and the answer says so. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ summary: "Updates the permission list from the app directory", auth: "admin" }, async ({ say }) => {
    const count = await countPermissions();
    say(`The app directory was not asked; the ${count} stored permissions stay as they are`);
  }),
});
