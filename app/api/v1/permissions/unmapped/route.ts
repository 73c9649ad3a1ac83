import { unmappedAnswer } from "@/lib/content/groups/wire";
import { listUnmapped } from "@/lib/content/groups/coverage";
import { unmappedQuery } from "@/lib/content/groups/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists permissions that no functional group of a view contains",
    needs: "read",
    answer: unmappedAnswer,
    input: { query: unmappedQuery },
    handle: ({ input }) => listUnmapped(input.query),
  }),
});
