import { historyDiffAnswer } from "@/lib/releases/answer-schema";
import { compareRecordVersions } from "@/lib/releases/items/history";
import { historyDiffQuery, itemParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

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
