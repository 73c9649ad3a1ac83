"use client";
import type { Draft } from "@/app/_components/form/use-draft";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { RecordHeader } from "@/app/_records/record-header";
import type { MessageDraft } from "../message-draft";
import { messageFamily } from "../message-family";
import type { EditedMessage } from "./edited-message";

const DeletionDialog = dialogOnDemand(() => import("../deletion-dialog").then((m) => m.DeletionDialog));

/** Name and state of a message, and what can be done with it as a whole. */
export function MessageHeader({
  message,
  environment,
  isInProduction,
  uses,
  draft,
  save,
}: Readonly<EditedMessage & { draft: Draft<MessageDraft>; save: () => Promise<boolean> }>) {
  const { id, message_category: category, status, is_deleted: isDeleted, updated_ts: updatedAt } = message;
  const asking = { isDeleted, isNew: !isInProduction };
  const record = {
    id,
    status,
    environment,
    isDeleted,
    isPromoted: isInProduction,
    changedAt: typeof updatedAt === "string" ? updatedAt : null,
  };
  return (
    <RecordHeader family={messageFamily} name={category} record={record} draft={draft} save={save}>
      {(act, onClose) => <DeletionDialog message={{ id, category, uses, ...asking }} draft={draft} onClose={onClose} />}
    </RecordHeader>
  );
}
