import { countersAnswer } from "@/lib/console/answer-schema";
import { loadCounters } from "@/lib/console/counters";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Counts what waits for somebody in the console",
    needs: "read",
    answer: countersAnswer,
    handle: () => loadCounters(),
  }),
});
