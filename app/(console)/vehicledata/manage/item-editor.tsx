"use client";
import { useMemo } from "react";
import { checkItem, fieldLabels } from "../check-item";
import { itemFamily, pathAfterSave } from "../item-family";
import type { ItemForm } from "../item-form";
import { itemParts } from "../item-parts";
import { ItemPreview } from "./item-preview";
import { ItemTree } from "./item-tree";
import { NodeSection } from "./node-section";
import { ProblemList } from "./problem-list";
import { TreeToolbar } from "./tree-toolbar";
import { useNodeChoice, type EditorFacts } from "./use-node-choice";
import { UsedBy } from "../used-by";
import { countNodes } from "../tree-edit";
import { KeepAddress } from "@/app/_components/hooks/keep-address";
import { Section } from "@/app/_components/ui/section";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { RecordEditor } from "@/app/_records/record-editor";
import { useRecordForm } from "@/app/_records/use-record-form";
import { vehicleDataPath } from "@/lib/content/vehicle-data/list-address";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((module) => module.RemovalDialog));

const labels = { ...fieldLabels, array: "List", isDeleted: "Deleted" };

/** One item: its tree at the left, one node of it as a form at the right. */
export function ItemEditor({ initial, facts }: Readonly<{ initial: ItemForm; facts: EditorFacts }>) {
  const { id, environment, isDeleted } = facts;
  const isReadOnly = environment === "production" || isDeleted;
  const edited = { id, name: initial.name, copyOf: facts.copyOf, isReadOnly };
  const { draft, save } = useRecordForm(itemFamily, edited, {
    initial,
    parts: itemParts,
    // Its own address leads to the node in view, wherever the page is drawn anew.
    savedPath: (answer) =>
      pathAfterSave(
        answer,
        choice.path.slice(1).map(({ name }) => name),
      ),
  });
  const form = draft.value;
  const problems = useMemo(() => checkItem(form, facts), [form, facts]);
  const choice = useNodeChoice(form, problems, facts.firstUid);
  /** A form with faults is not sent: it says what they are, and leads to the first one. */
  const guarded = {
    ...save,
    submit: () => {
      if (problems.size === 0) return save.submit();
      choice.revealAll();
      return Promise.resolve(false);
    },
  };
  const change = isReadOnly ? null : draft.set;
  const nodeId = facts.nodeIds[choice.uid];
  const nodes = countNodes(form) - 1;
  return (
    <>
      {nodeId !== undefined && <KeepAddress path={vehicleDataPath(nodeId, environment)} />}
      <RecordEditor
        family={itemFamily}
        name={initial.name}
        record={facts}
        draft={draft}
        save={guarded}
        labels={labels}
        renderRemoval={(removal) => (
          <RemovalDialog
            item={{ id, name: initial.name, isNew: !facts.isPromoted, usedBy: facts.usedBy }}
            {...removal}
          />
        )}
      >
        {!isReadOnly && <ProblemList choice={choice} />}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(17rem,2fr)_minmax(0,3fr)]">
          <Section
            title="Structure"
            description={nodes === 0 ? "Nothing inside" : `${nodes} inside, sorted by name when saved`}
            flush
            className="lg:sticky lg:top-[calc(var(--header)+var(--strip)+1rem)]"
          >
            {change && <TreeToolbar choice={choice} change={change} />}
            <ItemTree choice={choice} />
          </Section>
          <div className="min-w-0 space-y-4">
            <NodeSection key={choice.uid} choice={choice} facts={facts} change={change} />
            {facts.usedBy.length > 0 && (
              <Section title="Granted by">
                <UsedBy groups={facts.usedBy} environment={environment}>
                  Apps get this item as a parameter of vehicle data RPCs through{" "}
                  {facts.usedBy.length === 1 ? "this group" : `these ${facts.usedBy.length} groups`}:
                </UsedBy>
              </Section>
            )}
            <ItemPreview form={form} />
          </div>
        </div>
      </RecordEditor>
    </>
  );
}
