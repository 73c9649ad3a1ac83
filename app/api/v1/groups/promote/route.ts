import { promoteGroups } from "@/lib/content/groups/commands";
import { orRefuse, promotionWish } from "@/lib/gate/approvals/ask";
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
    async ({ input, writer }) => {
      await orRefuse(writer, promotionWish(input.body), (asker) => promoteGroups(input.body, asker));
    },
  ),
});
