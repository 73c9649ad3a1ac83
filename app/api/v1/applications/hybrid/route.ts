import { saveFlag } from "@/lib/applications/commands";
import { hybridBody } from "@/lib/applications/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Which form of a hybrid app is preferred. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    { summary: "Chooses the preferred form of a hybrid app", needs: "publish", input: { body: hybridBody } },
    async ({ input: { body }, writer }) => {
      await saveFlag(writer, body.uuid, "hybridAppPreference", body.hybrid_preference);
    },
  ),
});
