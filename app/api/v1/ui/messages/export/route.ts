import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { exportMessagesAnswer } from "@/lib/messages/answer-schema";
import { exportMessagesQuery } from "@/lib/messages/console-schema";
import { exportMessages } from "@/lib/messages/export";

/** What the console's list of messages shows, all of it, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Exports the consumer messages that the filters of the console let pass, as a table or as JSON",
      auth: "admin",
      answer: exportMessagesAnswer,
      fileTypes: ["text/csv", "application/json"],
      input: { query: exportMessagesQuery },
    },
    ({ input: { query } }) => exportMessages(query, new Date()),
  ),
});
