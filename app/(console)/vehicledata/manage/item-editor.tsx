"use client";
import dynamic from "next/dynamic";
import { useMemo, useDeferredValue } from "react";
import { checkItem, fieldLabels } from "../check-item";
import { type ItemForm, toPolicyItem, itemFamily, pathAfterSave } from "../item-form";
import { itemParts } from "../item-parts";
import { ItemTree } from "./item-tree";
import { NodeSection } from "./node-section";
import { TreeToolbar } from "./tree-toolbar";
import { useNodeChoice, type EditorFacts } from "./use-node-choice";
import { UsedBy } from "../used-by";
import { countNodes } from "../tree-edit";
import { KeepAddress } from "@/app/_components/hooks/keep-address";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { dialogOnDemand, partOnDemand } from "@/app/_components/overlay/on-demand";
import { JsonSection } from "@/app/_records/json-section";
import { RecordEditor } from "@/app/_records/record-editor";
import { useRecordForm } from "@/app/_records/use-record-form";
import { vehicleDataPath } from "@/lib/records/vehicle-data/list-address";
import { Notice } from "@/app/_components/feedback/notice";
import { buildCustomItems } from "@/lib/policy/table/vehicle-data";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((module) => module.RemovalDialog));

const ProblemList = dynamic(() => import("./problem-list").then((m) => m.ProblemList), { ssr: false });

const labels = { ...fieldLabels, array: "List", isDeleted: "Deleted" };

export function ItemEditor({ initial, facts }: Readonly<{ initial: ItemForm; facts: EditorFacts }>) {
  const { id, environment, isDeleted } = facts;
  const isReadOnly = environment === "production" || isDeleted;
  const edited = { id, name: initial.name, copyOf: facts.copyOf, isReadOnly };
  const { draft, save } = useRecordForm(itemFamily, edited, {
    initial,
    parts: itemParts,
    // After a save, the address still leads to the node in view.
    savedPath: (answer) =>
      pathAfterSave(
        answer,
        choice.path.slice(1).map(({ name }) => name),
      ),
  });
  const form = draft.value;
  const problems = useMemo(() => checkItem(form, facts), [form, facts]);
  const choice = useNodeChoice(form, problems, facts.firstUid);
  /** A form with problems is not sent: it lists them and goes to the first one. */
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
        {!isReadOnly && choice.isAsked > 0 && <ProblemList choice={choice} />}
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
            <NodeSection key={choice.uid} choice={choice} facts={facts} isSaving={save.isSaving} change={change} />
            {facts.usedBy.length > 0 && (
              <Section
                title="Granted by"
                actions={<Link href={`/rpcs/GetVehicleData/${initial.name}`}>Which apps use it</Link>}
              >
                <UsedBy groups={facts.usedBy} environment={environment}>
                  Apps get this item as a parameter of vehicle data RPCs through{" "}
                  {facts.usedBy.length === 1 ? "this group" : `these ${facts.usedBy.length} groups`}:
                </UsedBy>
              </Section>
            )}
            <JsonSection description="Its entry in schema_items, including unsaved changes">
              <Entry form={form} />
            </JsonSection>
          </div>
        </div>
      </RecordEditor>
    </>
  );
}

const JsonViewer = partOnDemand(
  () => import("@/app/_components/json-viewer/json-viewer").then((m) => m.JsonViewer),
  "m-4 h-64",
);

function Entry({ form }: Readonly<{ form: ItemForm }>) {
  const shown = useDeferredValue(form);
  const left: { readonly path: string; readonly reason: string }[] = [];
  const [entry] = buildCustomItems([toPolicyItem(shown)], (path, reason) => left.push({ path, reason }));
  return (
    <>
      {left.length > 0 && (
        <Notice className="m-3" title="Left out of the table">
          <ul className="space-y-0.5">
            {left.slice(0, 10).map(({ path, reason }, index) => (
              <li key={index}>
                {path || "unnamed"}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {entry && (
        <JsonViewer
          key={JSON.stringify(entry)}
          value={entry}
          label={`Entry of ${entry.name}`}
          firstDepth={6}
          className="h-80"
        />
      )}
    </>
  );
}
