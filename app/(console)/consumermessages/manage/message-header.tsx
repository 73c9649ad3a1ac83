"use client";
import { rebaseDraft } from "@/app/_components/form/rebase-draft";
import type { Draft } from "@/app/_components/form/use-draft";
import { guides } from "@/app/_components/guides";
import { useSeenList } from "@/app/_components/list/views/list-memory";
import { RecordHeader } from "@/app/_records/record-header";
import { PromoteMessagesDialog } from "../(list)/promote-messages-dialog";
import { DeletionDialog } from "../deletion-dialog";
import { readNewestMessage } from "../message-api";
import { type MessageDraft, toDraft } from "../message-draft";
import { messagePath } from "../message-path";
import type { EditedMessage } from "./message-editor";

const section = "/consumermessages";

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
  const listHref = useSeenList(section).path ?? section;
  const asking = { isDeleted, isNew: !isInProduction };

  /** What is being typed goes on from the promoted version, which has a new id. */
  async function followPromotion() {
    if (!draft.isDirty) return;
    const newest = await readNewestMessage(category);
    rebaseDraft(draft.key, { id: newest.id, value: toDraft(newest) });
  }

  return (
    <RecordHeader
      name={category}
      newTitle="New message"
      list={{ label: "Consumer messages", href: section, word: "message" }}
      helpHref={guides.consumerMessages}
      record={{
        id,
        status,
        environment,
        isDeleted,
        isPromoted: isInProduction,
        changedAt: typeof updatedAt === "string" ? updatedAt : null,
      }}
      hrefs={{ staging: messagePath(category, "staging"), production: messagePath(category, "production") }}
      unsaved={{ isDirty: draft.isDirty, save }}
    >
      {(act, close) =>
        act === "promote" ? (
          <PromoteMessagesDialog
            items={[
              {
                id,
                name: category,
                ...asking,
                isListed: true,
                unblocks:
                  isInProduction || isDeleted ? [] : uses.filter((use) => use.isWaiting).map(({ name }) => name),
                asking: isDeleted ? uses.filter((use) => use.productionId !== null).map(({ name }) => name) : [],
              },
            ]}
            onClose={close}
            // A draft that stays behind is told of at its next save, as if somebody else had saved meanwhile.
            onPromoted={() => followPromotion().catch(() => undefined)}
            // A promoted deletion leaves no page of its own.
            nextHref={isDeleted ? listHref : undefined}
          />
        ) : (
          <DeletionDialog message={{ id, category, uses, ...asking }} onClose={close} />
        )
      }
    </RecordHeader>
  );
}
