import { unmappedAnswer } from "@/lib/content/groups/answer-schema";
import { listUnmapped } from "@/lib/content/groups/coverage";
import { unmappedQuery } from "@/lib/content/groups/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Permissions that no functional group of a view contains. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists permissions that no functional group of a view contains",
      needs: "read",
      answer: unmappedAnswer,
      input: { query: unmappedQuery },
    },
    ({ input }) => listUnmapped(input.query),
  ),
});
