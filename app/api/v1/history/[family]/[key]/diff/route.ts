import { historyDiffAnswer } from "@/lib/content/releases/answer-schema";
import { compareVersions } from "@/lib/gate/items/history";
import { historyDiffQuery, itemParams } from "@/lib/gate/items/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Two versions of an item, compared. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Compares two versions of an item",
      needs: "read",
      answer: historyDiffAnswer,
      input: { params: itemParams, query: historyDiffQuery },
      failures: ["notFound"],
    },
    async ({ input }) => ({ fields: await compareVersions(input.params, input.query.from, input.query.to) }),
  ),
});
