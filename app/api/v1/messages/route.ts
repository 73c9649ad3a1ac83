import { methods, route } from "@/app/_api/api-route";
import { messagesAnswer, toMessageListJson } from "@/lib/records/messages/wire";
import { saveMessages } from "@/lib/records/messages/commands";
import { findMessage, listMessages, loadMessageTemplate } from "@/lib/records/messages/queries";
import { listMessagesQuery, saveMessagesBody } from "@/lib/records/messages/schema";
import { saveAnswer } from "@/lib/policy/answer/answer-schema";
import { toFindingsMember } from "@/lib/policy/checks/table-faults";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists consumer messages, or returns one record or an empty message",
    needs: "read",
    answer: messagesAnswer,
    input: { query: listMessagesQuery },
    handle: async ({ input: { query } }) => {
      if (query.template) return { messages: [await loadMessageTemplate()] };
      if (query.id !== undefined) {
        const message = await findMessage(query.id);
        return { messages: message === null ? [] : [message] };
      }
      const { items, nextCursor } = await listMessages({ ...query, hideDeleted: query.hide_deleted });
      return { messages: items.map(toMessageListJson), next_cursor: nextCursor };
    },
  }),
  POST: route({
    summary: "Saves consumer messages as new staging records; also deletes and restores",
    needs: "edit",
    answer: saveAnswer,
    input: { body: saveMessagesBody },
    handle: async ({ input, writer }) => toFindingsMember(await saveMessages(input.body, writer)),
  }),
});
