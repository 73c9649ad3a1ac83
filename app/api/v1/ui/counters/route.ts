import { countersAnswer } from "@/lib/console/answer-schema";
import { loadCounters } from "@/lib/console/counters";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the counters of the console: items that wait for somebody",
    needs: "read",
    answer: countersAnswer,
    handle: ({ principal }) => loadCounters(principal),
  }),
});
