"use client";
import { groupFamily } from "@/app/(console)/functionalgroups/group-family";
import type { GroupForm } from "@/app/(console)/functionalgroups/group-form";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import type { Draft } from "@/app/_components/form/use-draft";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { RecordHeader } from "@/app/_records/record-header";

const RemovalDialog = dialogOnDemand(() =>
  import("@/app/(console)/functionalgroups/removal-dialog").then((module) => module.RemovalDialog),
);

/** Name and state of the group, and what can be done with it as a whole. */
export function EditorHeader({
  facts,
  name,
  draft,
  save,
}: Readonly<{ facts: GroupFacts; name: string; draft: Draft<GroupForm>; save: () => Promise<boolean> }>) {
  const { id, isPromoted } = facts;
  return (
    <RecordHeader family={groupFamily} name={name} record={facts} draft={draft} save={save}>
      {(act, onClose) => (
        <RemovalDialog
          group={{ id, name, isNew: !isPromoted }}
          isRestore={act === "restore"}
          draft={draft}
          onClose={onClose}
        />
      )}
    </RecordHeader>
  );
}
