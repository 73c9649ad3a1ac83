"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import type { NodeProblems } from "@/app/(console)/vehicledata/check-item";
import { type ItemForm, limitNames, type NodeForm, uselessLimits } from "@/app/(console)/vehicledata/item-form";
import type { EditorFacts } from "@/app/(console)/vehicledata/manage/item-facts";
import { LimitFields } from "@/app/(console)/vehicledata/manage/limit-fields";
import { focusField } from "@/app/(console)/vehicledata/manage/problem-list";
import type { ChangeItem } from "@/app/(console)/vehicledata/manage/tree-toolbar";
import { TypeField } from "@/app/(console)/vehicledata/manage/type-field";
import type { ChooseNode } from "@/app/(console)/vehicledata/manage/use-node-choice";
import { changeNode, type NodePath } from "@/app/(console)/vehicledata/tree-edit";
import { Button } from "@/app/_components/ui/button";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { Term } from "@/app/_components/overlay/term";
import { TextField } from "@/app/_components/fields/text-field";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";
import { describeLimits } from "@/lib/vehicle-data/console-rows";
import { readLimit } from "@/app/(console)/vehicledata/item-form";

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
  const useless = uselessLimits(node);

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
          {...(takenId === undefined
            ? {}
            : { aside: <Link href={vehicleDataPath(takenId, "staging")}>Open {node.name}</Link> })}
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
      {before !== null && change && (
        <Notice
          tone="info"
          className="mt-4"
          action={
            <Button
              size="sm"
              onClick={() => {
                const { type, array, params } = before;
                set({ type, array, params, ...Object.fromEntries(limitNames.map((name) => [name, before[name]])) });
                setBefore(null);
                // This button goes with its notice.
                focusField("type");
              }}
            >
              Take back
            </Button>
          }
        >
          Taken out with this change: {describeForm(before, node)}
        </Notice>
      )}
      {useless.length > 0 && (
        <Notice className="mt-4">
          Stored limits that mean nothing for {node.type || "this type"}: {describeForm(node, null)}. Saving takes them
          out.
        </Notice>
      )}
      {node.type === "Struct" && node.params.length === 0 && (
        <Notice className="mt-4">
          A struct with nothing inside is saved, but never enters a policy table: head units would refuse it.
        </Notice>
      )}
    </Section>
  );
}

/** The way to the node; all but the last part lead there. */
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

/** The limits of a node in words; with `now` only those that are gone by now. */
function describeForm(node: NodeForm, now: NodeForm | null): string {
  const names = now === null ? uselessLimits(node) : limitNames.filter((name) => node[name] !== "" && now[name] === "");
  const limits = limitNames.map((name) => [name, names.includes(name) ? readLimit(node[name]) : null] as const);
  return describeLimits({ type: node.type, array: node.array, ...(Object.fromEntries(limits) as Limits) });
}

type Limits = Omit<Parameters<typeof describeLimits>[0], "type" | "array">;
