import { overviewAnswer } from "@/app/(console)/(overview)/answer-schema";
import { loadOverview } from "@/app/(console)/(overview)/queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what the first page of the console shows: what waits, what is new, and what vehicles get",
    needs: "read",
    answer: overviewAnswer,
    handle: ({ principal }) => loadOverview(principal, new Date()),
  }),
});
