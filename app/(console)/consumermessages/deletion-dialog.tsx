"use client";
import { Notice } from "@/app/_components/feedback/notice";
import { type Removal, RemovalDialog } from "@/app/_records/removal-dialog";
import type { MessageRow, PromptUse } from "@/lib/content/messages/overview";
import type { MessageDraft } from "./message-draft";
import { messageFamily } from "./message-family";

/** Deletes a message in staging, or restores one whose deletion waits; says first which groups ask with it. */
export function DeletionDialog({
  message: { id, category, isDeleted, isNew, uses },
  ...removal
}: Readonly<
  Omit<Removal<MessageDraft>, "isRestore"> & {
    message: Pick<MessageRow, "id" | "category" | "isDeleted" | "isNew" | "uses">;
  }
>) {
  const record = { id, name: category, isNew };
  return (
    <RemovalDialog {...removal} family={messageFamily} record={record} isRestore={isDeleted}>
      {!isDeleted && <LostPrompts uses={uses} />}
    </RemovalDialog>
  );
}

function LostPrompts({ uses }: Readonly<{ uses: readonly PromptUse[] }>) {
  const staging = uses.filter(({ stagingId }) => stagingId !== null).map(({ name }) => name);
  const production = uses.filter(({ productionId }) => productionId !== null).map(({ name }) => name);
  if (staging.length + production.length === 0) return <p>No functional group asks with it.</p>;
  return (
    <Notice title="Functional groups ask with this message">
      {staging.length > 0 && <p>{`In staging these are left out of the policy table now: ${staging.join(", ")}.`}</p>}
      {production.length > 0 && (
        <p>
          {`The deletion cannot be promoted while these ask with it in production: ${production.join(", ")}. Give them another prompt before.`}
        </p>
      )}
    </Notice>
  );
}
