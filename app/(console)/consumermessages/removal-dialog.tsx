import { Notice } from "@/app/_components/feedback/notice";
import { type Removal, RemovalDialog as SharedDialog } from "@/app/_records/removal-dialog";
import type { MessageRow, PromptUse } from "@/lib/records/messages/overview";
import { type MessageDraft, messageFamily } from "./message-draft";

export function RemovalDialog({
  message: { id, category, isNew, uses },
  ...removal
}: Readonly<Removal<MessageDraft> & { message: Pick<MessageRow, "id" | "category" | "isNew" | "uses"> }>) {
  return (
    <SharedDialog {...removal} family={messageFamily} record={{ id, name: category, isNew }}>
      {!removal.isRestore && <LostPrompts uses={uses} />}
    </SharedDialog>
  );
}

function LostPrompts({ uses }: Readonly<{ uses: readonly PromptUse[] }>) {
  const staging = uses.filter(({ stagingId }) => stagingId !== null).map(({ name }) => name);
  const production = uses.filter(({ productionId }) => productionId !== null).map(({ name }) => name);
  if (staging.length + production.length === 0) return <p>No functional group uses this message.</p>;
  return (
    <Notice title="Functional groups use this message">
      {staging.length > 0 && <p>{`These groups are left out of the staging table: ${staging.join(", ")}.`}</p>}
      {production.length > 0 && (
        <p>
          {`You cannot publish the deletion while these groups use the message in production: ${production.join(", ")}. Give them another prompt first.`}
        </p>
      )}
    </Notice>
  );
}
