import { findNewest, newestAnswer, newestParams, newestQuery } from "@/lib/records/newest";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the latest version of an item in staging as a body for saving it",
    needs: "read",
    answer: newestAnswer,
    input: { params: newestParams, query: newestQuery },
    handle: ({ input }) => findNewest(input.params, input.query),
  }),
});
