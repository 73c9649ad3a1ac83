import { exportRoute } from "@/app/_api/record-routes";
import { loadListedMessages } from "@/lib/content/messages/console-queries";
import { exportMessagesQuery } from "@/lib/content/messages/console-schema";
import { messageFiles } from "@/lib/content/messages/file";
import { exportMessagesAnswer } from "@/lib/content/messages/wire";

const summary = "Exports the consumer messages that match the filters of the console, as CSV or JSON";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = exportRoute(
  summary,
  exportMessagesAnswer,
  exportMessagesQuery,
  messageFiles,
  loadListedMessages,
);
