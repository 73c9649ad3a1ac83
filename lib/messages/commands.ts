import "server-only";
import { type Transaction, type WriteContext } from "@/lib/db/transaction";
import { messageFamily } from "@/lib/messages/family";
import { buildMessageDetail } from "@/lib/messages/queries";
import { type SaveMessagesBody } from "@/lib/messages/schema";
import { toMessageContent, toMessageJson } from "@/lib/messages/wire";
import { type HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { promoteRecords, saveRecords } from "@/lib/records/commands";
import { type PromoteBody } from "@/lib/records/query";

/**
 * Saves messages, all or none (`api.md` 12.3).
 *
 * @returns the faults that they bring to the staging table
 * @throws AppError as `saveRecords`; 400 when a language is not known
 */
export async function saveMessages(body: SaveMessagesBody, writer: WriteContext): Promise<readonly HeadUnitFinding[]> {
  if (body.messages.length === 0) return [];
  const edits = body.messages.map((message) => {
    const content = toMessageContent(message);
    const unsaved = { ...content, id: 0, status: "STAGING" } as const;
    return {
      content,
      baseId: message.base_id,
      submitted: async ({ session }: Transaction) => toMessageJson(await buildMessageDetail(unsaved, session)),
    };
  });
  return (await saveRecords(messageFamily, edits, writer)).findings;
}

/**
 * Publishes staged messages with every stored text (`api.md` 12.4).
 *
 * @throws AppError as `promoteRecords`; 400 for the deletion of a message that a group in production asks with
 */
export async function promoteMessages({ id: ids, force }: PromoteBody, writer: WriteContext): Promise<void> {
  await promoteRecords(messageFamily, { ids, force }, writer);
}
