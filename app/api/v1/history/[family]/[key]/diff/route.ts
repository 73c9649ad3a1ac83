import { historyDiffAnswer } from "@/lib/content/releases/answer-schema";
import { compareRecordVersions } from "@/lib/gate/items/history";
import { historyDiffQuery, itemParams } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Compares two versions of an item",
    needs: "read",
    answer: historyDiffAnswer,
    input: { params: itemParams, query: historyDiffQuery },
    failures: ["notFound"],
    handle: async ({ input }) => ({
      fields: await compareRecordVersions(input.params, input.query.from, input.query.to),
    }),
  }),
});
