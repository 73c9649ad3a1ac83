import { historyAnswer } from "@/lib/content/releases/answer-schema";
import { tellHistory } from "@/lib/gate/items/history";
import { historyQuery, itemParams } from "@/lib/gate/items/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** All stored versions of an item. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists the stored versions of an item, newest first, each with what it changed",
      needs: "read",
      answer: historyAnswer,
      input: { params: itemParams, query: historyQuery },
      failures: ["notFound"],
    },
    ({ input }) => tellHistory(input.params, input.query),
  ),
});
