import { exportRoute } from "@/app/_api/record-routes";
import { loadListedMessages } from "@/lib/records/messages/console-queries";
import { exportMessagesQuery } from "@/lib/records/messages/console-schema";
import { messageFiles } from "@/lib/records/messages/file";
import { exportMessagesAnswer } from "@/lib/records/messages/wire";

const summary = "Exports the consumer messages that match the filters of the console, as CSV or JSON";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = exportRoute(
  summary,
  exportMessagesAnswer,
  exportMessagesQuery,
  messageFiles,
  loadListedMessages,
);
