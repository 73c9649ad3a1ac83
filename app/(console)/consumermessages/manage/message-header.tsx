"use client";
import { Eye, Pencil, Rocket, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { guides } from "@/app/_components/guides";
import { LinkButton } from "@/app/_components/link-button";
import { BackToList } from "@/app/_components/list/back-to-list";
import { PageHeader } from "@/app/_components/page-header";
import { RecordChip } from "@/app/_components/status-chip";
import { PromoteMessagesDialog } from "../(list)/promote-messages-dialog";
import { DeletionDialog } from "../deletion-dialog";
import { messagePath } from "../message-path";
import type { EditedMessage } from "./message-editor";

type Question = "promote" | "delete";

/** Name and state of a message, and what can be done with it as a whole. */
export function MessageHeader({
  message,
  environment,
  isInProduction,
  uses,
  isDirty,
}: Readonly<EditedMessage & { isDirty: boolean }>) {
  const [question, setQuestion] = useState<Question | null>(null);
  const { id, message_category: category, status, is_deleted: isDeleted } = message;
  const close = () => {
    setQuestion(null);
  };
  const isStaging = environment === "staging";
  const waits = status === "STAGING";
  const asking = { isDeleted, isNew: !isInProduction };
  return (
    <>
      <PageHeader
        title={id === 0 ? "New message" : `${category}${isDeleted ? " (deleted)" : ""}`}
        back={
          <BackToList
            section="/consumermessages"
            label="Consumer messages"
            word="message"
            itemKey={category}
            plainHref={`/consumermessages?environment=${environment}`}
          />
        }
        helpHref={guides.consumerMessages}
        state={status !== "" && <RecordChip status={status} isDeleted={isDeleted} isNew={!isInProduction} />}
        actions={
          id !== 0 && (
            <>
              {isStaging && isInProduction && waits && (
                <LinkButton href={messagePath(category, "production")}>
                  <Eye aria-hidden="true" />
                  Production version
                </LinkButton>
              )}
              {!isStaging && (
                <LinkButton href={messagePath(category, "staging")}>
                  <Pencil aria-hidden="true" />
                  Edit in staging
                </LinkButton>
              )}
              {isStaging && (
                <Button
                  onClick={() => {
                    setQuestion("delete");
                  }}
                >
                  {isDeleted ? <RotateCcw aria-hidden="true" /> : <Trash2 aria-hidden="true" />}
                  {isDeleted ? "Restore…" : "Delete…"}
                </Button>
              )}
              {isStaging && waits && (
                <Button
                  variant="primary"
                  disabled={isDirty}
                  title={isDirty ? "Save or discard your changes first" : undefined}
                  onClick={() => {
                    setQuestion("promote");
                  }}
                >
                  <Rocket aria-hidden="true" />
                  Promote…
                </Button>
              )}
            </>
          )
        }
      />
      {question === "delete" && <DeletionDialog message={{ id, category, uses, ...asking }} onClose={close} />}
      {question === "promote" && (
        <PromoteMessagesDialog
          items={[
            {
              id,
              name: category,
              ...asking,
              isListed: true,
              unblocks: isInProduction || isDeleted ? [] : uses.filter((use) => use.isWaiting).map(({ name }) => name),
              asking: isDeleted ? uses.filter((use) => use.productionId !== null).map(({ name }) => name) : [],
            },
          ]}
          onClose={close}
        />
      )}
    </>
  );
}
