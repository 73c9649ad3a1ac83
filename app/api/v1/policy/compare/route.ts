import { methods, route } from "@/lib/routes/route";
import { comparisonAnswer } from "@/lib/simulator/answer-schema";
import { compareQuery } from "@/lib/simulator/schema";
import { compareTables } from "@/lib/simulator/answers/simulation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Compares two policy tables, and the entries of some apps in them",
    needs: "read",
    answer: comparisonAnswer,
    input: { query: compareQuery },
    handle: ({ input }) => compareTables(input.query),
  }),
});
