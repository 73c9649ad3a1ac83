import { filterChoicesAnswer } from "@/lib/apps/applications/answer-schema";
import { loadFilterChoices } from "@/lib/apps/applications/console/filter-choices";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What the console's list of apps can be narrowed to. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists the permissions, service types and countries that the console's list of apps can be narrowed to",
      needs: "read",
      answer: filterChoicesAnswer,
    },
    () => loadFilterChoices(),
  ),
});
