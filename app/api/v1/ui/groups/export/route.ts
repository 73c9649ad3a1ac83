import { exportAnswer } from "@/lib/content/groups/answer-schema";
import { exportGroupsQuery } from "@/lib/content/groups/console-schema";
import { findListedGroups } from "@/lib/content/groups/console-queries";
import { groupFiles } from "@/lib/content/groups/file";
import { exportRecords } from "@/lib/content/records/export";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What the console's list of functional groups shows, all of it, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Exports the functional groups that the filters of the console let pass, as a table or as JSON",
      needs: "read",
      answer: exportAnswer,
      fileTypes: ["text/csv", "application/json"],
      input: { query: exportGroupsQuery },
    },
    async ({ input: { query } }) => exportRecords(groupFiles, await findListedGroups(query), query, new Date()),
  ),
});
