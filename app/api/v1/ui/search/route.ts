import { methods, route } from "@/lib/routes/route";
import { searchAnswer, searchQuery } from "@/lib/console/search/schema";
import { searchEverything } from "@/lib/console/search/queries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Searches apps, functional groups, messages, vehicle data, RPCs and parameters by name",
    needs: "read",
    answer: searchAnswer,
    input: { query: searchQuery },
    handle: ({ input }) => searchEverything(input.query.q),
  }),
});
