import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { searchAnswer, searchQuery } from "@/lib/console/search/schema";
import { searchEverything } from "@/lib/console/search/queries";

/** What the command palette of the console finds. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Searches apps, functional groups, messages, vehicle data, RPCs and parameters by name",
      needs: "read",
      answer: searchAnswer,
      input: { query: searchQuery },
    },
    ({ input }) => searchEverything(input.query.q),
  ),
});
