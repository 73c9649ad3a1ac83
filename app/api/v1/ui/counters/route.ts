import { countersAnswer } from "@/app/_console/answer-schema";
import { loadCounters } from "@/app/_console/counters";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the counters of the console: items that wait for somebody",
    needs: "read",
    answer: countersAnswer,
    handle: ({ principal }) => loadCounters(principal),
  }),
});
