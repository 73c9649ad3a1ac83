"use client";
import { itemFamily } from "@/app/(console)/vehicledata/item-family";
import type { ItemForm } from "@/app/(console)/vehicledata/item-form";
import type { EditorFacts } from "@/app/(console)/vehicledata/manage/item-facts";
import type { Draft } from "@/app/_components/form/use-draft";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { RecordHeader } from "@/app/_records/record-header";

const RemovalDialog = dialogOnDemand(() =>
  import("@/app/(console)/vehicledata/removal-dialog").then((module) => module.RemovalDialog),
);

/** Name and state of the item, and what can be done with it as a whole. */
export function ItemHeader({
  facts,
  name,
  draft,
  save,
}: Readonly<{ facts: EditorFacts; name: string; draft: Draft<ItemForm>; save: () => Promise<boolean> }>) {
  const { id, isPromoted, usedBy } = facts;
  return (
    <RecordHeader family={itemFamily} name={name} record={facts} draft={draft} save={save}>
      {(act, onClose) => (
        <RemovalDialog
          item={{ id, name, isNew: !isPromoted, usedBy }}
          isRestore={act === "restore"}
          draft={draft}
          onClose={onClose}
        />
      )}
    </RecordHeader>
  );
}
