import { saveAutoApproval } from "@/lib/applications/commands";
import { autoBody } from "@/lib/applications/schema";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

/** Automatic approval of an app's future versions. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    {
      summary: "Turns automatic approval of future versions of an app on or off",
      auth: "admin",
      input: { body: autoBody },
    },
    async ({ input: { body }, writer }) => {
      await saveAutoApproval(writer, body.uuid, body.is_auto_approved_enabled);
    },
  ),
});
