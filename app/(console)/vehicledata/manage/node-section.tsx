import { Link } from "@/app/_components/ui/link";
import { useEffect, useState } from "react";
import { fieldLabels, type NodeProblems } from "../check-item";
import { type NodeForm, rootUid, uselessLimits, usableLimits, readLimit } from "../item-form";
import { type LimitName, limitNames } from "@/lib/vocabulary/terms";
import { pickMembers, recordOf } from "@/lib/vocabulary/members";
import type { ChooseNode, EditorFacts, NodeChoice } from "./use-node-choice";
import { focusField } from "./problem-list";
import type { ChangeItem } from "./tree-toolbar";
import { TypeField } from "./type-field";
import { changeNode, type NodePath } from "../tree-edit";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { Section } from "@/app/_components/ui/section";
import { Term } from "@/app/_components/overlay/term";
import { TextField } from "@/app/_components/fields/text-field";
import { vehicleDataPath } from "@/lib/records/vehicle-data/list-address";
import { ChevronRight } from "lucide-react";
import { Notice } from "@/app/_components/feedback/notice";
import { Button } from "@/app/_components/ui/button";
import { describeLimits } from "@/lib/records/vehicle-data/console-rows";

const unitOf = (name: LimitName) =>
  name.endsWith("Length") ? "characters" : name.endsWith("Size") ? "elements" : null;

export function NodeSection({
  choice: { root, path, uid, isFresh, shown, choose },
  facts,
  isSaving,
  change,
}: Readonly<{ choice: NodeChoice; facts: EditorFacts; isSaving: boolean; change: ChangeItem | null }>) {
  const problems = shown.get(uid) ?? {};
  const isNameFixed = facts.id !== 0 && uid === rootUid;
  const node = path.at(-1) ?? root;
  const [before, setBefore] = useState<NodeForm | null>(null);
  useEffect(() => {
    if (isFresh) focusField("name");
  }, [isFresh]);
  const isTop = path.length === 1;
  const takenId = isTop && !isNameFixed ? facts.taken[node.name] : undefined;

  function set(update: Partial<NodeForm>) {
    change?.((form) => changeNode(form, node.uid, (one) => ({ ...one, ...update })));
  }

  /** Removes limits that no longer apply. */
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
              ? "Groups refer to the item by its name, so it cannot be changed. Duplicate the item to use another name."
              : "The name apps request. No spaces and none of !@#$%^&*"
          }
          aside={takenId !== undefined && <Link href={vehicleDataPath(takenId, "staging")}>Open {node.name}</Link>}
          // Once it is sent, the name of the item is fixed.
          onChange={change && !isNameFixed && !(isSaving && isTop) && ((name) => set({ name }))}
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
                The manufacturer’s network mapping table says where in the vehicle a value comes from. Head units look
                up the key in it.
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
            label="List of values"
            hint="The value is an array"
            checked={node.array}
            onChange={change && ((array) => setKind({ array }))}
          />
          <CheckboxField
            label="Mandatory"
            hint={isTop ? "Only possible inside a struct" : `Always sent with ${path.at(-2)?.name || "the struct"}`}
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
          set({ type, array, params, ...pickMembers(one, limitNames) });
          setBefore(null);
          // This button disappears with its notice.
          focusField("type");
        }}
      />
    </Section>
  );
}

function LimitFields({
  node,
  problems,
  set,
}: Readonly<{ node: NodeForm; problems: NodeProblems; set: ((update: Partial<NodeForm>) => void) | null }>) {
  return usableLimits(node).map((name) => (
    <TextField
      key={name}
      label={fieldLabels[name]}
      name={name}
      aside={unitOf(name) ?? (node.type === "Float" ? "number" : "whole number")}
      inputMode={node.type === "Float" ? "decimal" : "numeric"}
      autoComplete="off"
      placeholder="no limit"
      inputClassName="tabular-nums"
      value={node[name]}
      error={problems[name]?.message}
      onChange={set && ((text) => set({ [name]: text }))}
    />
  ));
}

function NodeTitle({ path, choose }: Readonly<{ path: NodePath; choose: ChooseNode }>) {
  return (
    <span className="flex flex-wrap items-center gap-1">
      {path.map((node, index) => (
        <span key={node.uid} className="flex min-w-0 items-center gap-1">
          {index > 0 && <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-muted" />}
          {index === path.length - 1 ? (
            <span className="min-w-0 break-all">{node.name || "unnamed"}</span>
          ) : (
            <button
              type="button"
              className="min-h-6 text-left font-normal break-all text-muted hover:text-text hover:underline"
              onClick={() => choose(node.uid)}
            >
              {node.name || "unnamed"}
            </button>
          )}
        </span>
      ))}
    </span>
  );
}

function NodeNotices({
  node,
  before,
  onTakeBack,
}: Readonly<{
  node: NodeForm;
  before: NodeForm | null;
  onTakeBack: (before: NodeForm) => void;
}>) {
  const useless = uselessLimits(node);
  return (
    <>
      {before !== null && (
        <Notice
          tone="info"
          className="mt-4"
          action={
            <Button size="sm" onClick={() => onTakeBack(before)}>
              Take back
            </Button>
          }
        >
          Removed by this change:{" "}
          {describe(
            before,
            limitNames.filter((name) => before[name] !== "" && node[name] === ""),
          )}
        </Notice>
      )}
      {useless.length > 0 && (
        <Notice className="mt-4">
          Stored limits that do not apply to {node.type || "this type"}: {describe(node, useless)}. Saving removes them.
        </Notice>
      )}
      {node.type === "Struct" && node.params.length === 0 && (
        <Notice className="mt-4">
          You can save an empty struct, but it is left out of policy tables because head units would refuse it.
        </Notice>
      )}
    </>
  );
}

function describe(node: NodeForm, names: readonly string[]): string {
  const limits = recordOf(limitNames, (name) => (names.includes(name) ? readLimit(node[name]) : null));
  return describeLimits({ type: node.type, array: node.array, ...limits });
}
