import { promote } from "@/lib/gate/approvals/ask";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { promoteBody } from "@/lib/content/records/query";

/** Publishes staged functional groups; ids with nothing to publish are skipped. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    {
      summary: "Publishes staged functional groups",
      needs: "publish",
      failures: ["conflict"],
      input: { body: promoteBody },
    },
    ({ input, writer }) => promote("group", input.body, writer),
  ),
});
