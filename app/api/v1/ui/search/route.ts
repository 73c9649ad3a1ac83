import { methods, route } from "@/app/_api/api-route";
import { searchAnswer, searchQuery } from "@/app/_search/schema";
import { searchEverything } from "@/app/_search/queries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Searches apps, functional groups, messages, vehicle data, RPCs and parameters by name",
    needs: "read",
    answer: searchAnswer,
    input: { query: searchQuery },
    handle: ({ input }) => searchEverything(input.query.q),
  }),
});
