import { unmappedAnswer } from "@/lib/records/groups/wire";
import { listUnmapped } from "@/lib/records/groups/coverage";
import { unmappedQuery } from "@/lib/records/groups/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists permissions that no functional group of a view contains",
    needs: "read",
    answer: unmappedAnswer,
    input: { query: unmappedQuery },
    handle: ({ input }) => listUnmapped(input.query),
  }),
});
