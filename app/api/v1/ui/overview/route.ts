import { overviewAnswer } from "@/lib/console/overview/answer-schema";
import { loadOverview } from "@/lib/console/overview/queries";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what the first page of the console shows: what waits, what is new, and what vehicles get",
    needs: "read",
    answer: overviewAnswer,
    handle: ({ principal }) => loadOverview(principal, new Date()),
  }),
});
