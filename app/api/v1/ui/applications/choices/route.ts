import { filterChoicesAnswer } from "@/lib/apps/applications/answer-schema";
import { loadFilterChoices } from "@/lib/apps/applications/console/console-queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the permissions, service types and countries by which the console can filter apps",
    needs: "read",
    answer: filterChoicesAnswer,
    handle: () => loadFilterChoices(),
  }),
});
