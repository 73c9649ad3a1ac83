import { saveApproval } from "@/lib/applications/approval";
import { actionBody } from "@/lib/applications/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Decides about one version, and about the blacklist flag of its app. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    {
      summary: "Decides about one version, and about the blacklist flag of its app",
      auth: "admin",
      input: { body: actionBody },
    },
    async ({ input: { body }, writer }) => {
      await saveApproval(writer, body);
    },
  ),
});
