"use client";
import { Link } from "@/app/_components/ui/link";
import { useEffect, useState } from "react";
import type { NodeProblems } from "@/app/(console)/vehicledata/check-item";
import { type ItemForm, limitNames, type NodeForm, uselessLimits } from "@/app/(console)/vehicledata/item-form";
import type { EditorFacts } from "@/app/(console)/vehicledata/manage/item-facts";
import { LimitFields } from "@/app/(console)/vehicledata/manage/limit-fields";
import { NodeNotices } from "@/app/(console)/vehicledata/manage/node-notices";
import { NodeTitle } from "@/app/(console)/vehicledata/manage/node-title";
import { focusField } from "@/app/(console)/vehicledata/manage/problem-list";
import type { ChangeItem } from "@/app/(console)/vehicledata/manage/tree-toolbar";
import { TypeField } from "@/app/(console)/vehicledata/manage/type-field";
import type { ChooseNode } from "@/app/(console)/vehicledata/manage/use-node-choice";
import { changeNode, type NodePath } from "@/app/(console)/vehicledata/tree-edit";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import { Section } from "@/app/_components/ui/section";
import { Term } from "@/app/_components/overlay/term";
import { TextField } from "@/app/_components/fields/text-field";
import { vehicleDataPath } from "@/lib/content/vehicle-data/list-address";

/** One node as a form. */
export function NodeSection({
  root,
  path,
  facts,
  problems,
  isNameFixed,
  isFresh,
  change,
  choose,
}: Readonly<{
  root: ItemForm;
  path: NodePath;
  facts: EditorFacts;
  problems: NodeProblems;
  isNameFixed: boolean;
  /** It was made just now: its name is typed first. */
  isFresh: boolean;
  change: ChangeItem | null;
  choose: ChooseNode;
}>) {
  const node = path.at(-1) ?? root;
  /** The node before a change that took limits from it. */
  const [before, setBefore] = useState<NodeForm | null>(null);
  useEffect(() => {
    if (isFresh) focusField("name");
  }, [isFresh]);
  const isTop = path.length === 1;
  const takenId = isTop && !isNameFixed ? facts.taken[node.name] : undefined;

  function set(update: Partial<NodeForm>) {
    change?.((form) => changeNode(form, node.uid, (one) => ({ ...one, ...update })));
  }

  /** Changes what decides which limits there are; those that have no meaning any more are taken out. */
  function setKind(update: Partial<Pick<NodeForm, "type" | "array" | "params">>) {
    const next = { ...node, ...update };
    const lost = uselessLimits(next);
    setBefore(lost.length > 0 ? node : null);
    set({ ...update, ...Object.fromEntries(lost.map((name) => [name, ""])) });
  }

  const textProps = { autoComplete: "off", spellCheck: false, autoCapitalize: "none", inputClassName: "font-mono" };
  return (
    <Section title={<NodeTitle path={path} choose={choose} />}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...textProps}
          label="Name"
          name="name"
          value={node.name}
          error={problems.name?.message}
          hint={
            isNameFixed && change
              ? "Fixed: groups know the item by its name. Duplicate it to give it another one."
              : "What apps ask for. No blanks, none of !@#$%^&*"
          }
          aside={takenId !== undefined && <Link href={vehicleDataPath(takenId, "staging")}>Open {node.name}</Link>}
          onChange={change && !isNameFixed && ((name) => set({ name }))}
        />
        <TextField
          {...textProps}
          label="Key"
          name="key"
          value={node.key}
          error={problems.key?.message}
          hint={
            <>
              Its place in your{" "}
              <Term word="mapping table">
                The network mapping table of the manufacturer says where in the vehicle a value comes from. Head units
                look the key up in it.
              </Term>
            </>
          }
          onChange={change && ((key) => set({ key }))}
        />
        <TypeField
          node={node}
          parent={path.at(-2) ?? null}
          types={facts.types}
          error={problems.type?.message ?? null}
          change={change ? { setKind, changeItem: change } : null}
        />
        <div className="flex flex-col gap-2.5 sm:pt-6">
          <CheckboxField
            label="List of such values"
            hint="The value is an array"
            checked={node.array}
            onChange={change && ((array) => setKind({ array }))}
          />
          <CheckboxField
            label="Mandatory"
            hint={
              isTop
                ? "Only possible inside a struct"
                : `Whoever gives ${path.at(-2)?.name || "the struct"} gives this, too`
            }
            checked={!isTop && node.mandatory}
            disabled={isTop}
            onChange={change && !isTop && ((mandatory) => set({ mandatory }))}
          />
        </div>
        <LimitFields node={node} problems={problems} set={change ? set : null} />
      </div>
      <NodeNotices
        node={node}
        before={change && before}
        onTakeBack={({ type, array, params, ...one }) => {
          set({ type, array, params, ...Object.fromEntries(limitNames.map((name) => [name, one[name]])) });
          setBefore(null);
          // This button goes with its notice.
          focusField("type");
        }}
      />
    </Section>
  );
}
