import { countersAnswer } from "@/lib/console/answer-schema";
import { loadCounters } from "@/lib/console/counters";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What waits for somebody, for the badges of the console. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ summary: "Counts what waits for somebody in the console", needs: "read", answer: countersAnswer }, () =>
    loadCounters(),
  ),
});
