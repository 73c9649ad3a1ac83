import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { exportMessagesAnswer } from "@/lib/content/messages/wire";
import { exportMessagesQuery } from "@/lib/content/messages/console-schema";
import { loadListedMessages } from "@/lib/content/messages/console-queries";
import { messageFiles } from "@/lib/content/messages/file";
import { exportRecords } from "@/lib/content/records/export";

/** What the console's list of messages shows, all of it, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Exports the consumer messages that the filters of the console let pass, as a table or as JSON",
      needs: "read",
      answer: exportMessagesAnswer,
      fileTypes: ["text/csv", "application/json"],
      input: { query: exportMessagesQuery },
    },
    async ({ input: { query } }) => exportRecords(messageFiles, await loadListedMessages(query), query, new Date()),
  ),
});
