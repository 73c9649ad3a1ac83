"use client";
import dynamic from "next/dynamic";
import { readGroup } from "@/app/(console)/functionalgroups/group-api";
import { type GroupForm, toBody, toForm } from "@/app/(console)/functionalgroups/group-form";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { rebaseDraft } from "@/app/_components/form/rebase-draft";
import type { Draft } from "@/app/_components/form/use-draft";
import { guides } from "@/app/_components/guides";
import { RecordHeader } from "@/app/_records/record-header";
import { groupPath } from "@/lib/groups/list-address";

const PromoteGroupsDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/promote-groups-dialog").then((module) => module.PromoteGroupsDialog),
  { ssr: false },
);
const RemovalDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/removal-dialog").then((module) => module.RemovalDialog),
  { ssr: false },
);

/** Name and state of the group, and what can be done with it as a whole. */
export function EditorHeader({
  facts,
  name,
  draft,
  save,
}: Readonly<{ facts: GroupFacts; name: string; draft: Draft<GroupForm>; save: () => Promise<boolean> }>) {
  const { id, isPromoted } = facts;

  /** What is being typed goes on from the promoted version, which has a new id. */
  async function followPromotion() {
    if (!draft.isDirty) return;
    const group = await readGroup(name);
    const isSame = (base: GroupForm) => deepEqual(toBody(base, 0), toBody(toForm(group), 0));
    rebaseDraft(draft.key, { id: group.id, value: draft.base }, isSame);
  }

  return (
    <RecordHeader
      name={name}
      newTitle="New functional group"
      list={{ label: "Functional groups", href: "/functionalgroups" }}
      helpHref={guides.functionalGroups}
      record={facts}
      hrefs={{
        copy: `/functionalgroups/manage?from=${id}`,
        staging: groupPath({ name }, "staging"),
        production: groupPath({ name }, "production"),
      }}
      unsaved={{ isDirty: draft.isDirty, save }}
    >
      {(act, close) =>
        act === "promote" ? (
          <PromoteGroupsDialog
            ids={[id]}
            onClose={close}
            // A draft that stays behind is told of at its next save, as if somebody else had saved meanwhile.
            onPromoted={() => void followPromotion().catch(() => undefined)}
          />
        ) : (
          <RemovalDialog
            group={{ id, name, isNew: !isPromoted }}
            isRestore={act === "restore"}
            onClose={close}
            onDone={draft.discard}
          />
        )
      }
    </RecordHeader>
  );
}
