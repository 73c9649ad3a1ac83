import { historyAnswer } from "@/lib/releases/answer-schema";
import { listHistory } from "@/lib/releases/items/history";
import { historyQuery, itemParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the stored versions of an item, newest first, with the changes of each",
    needs: "read",
    answer: historyAnswer,
    input: { params: itemParams, query: historyQuery },
    failures: ["notFound"],
    handle: ({ input }) => listHistory(input.params, input.query),
  }),
});
