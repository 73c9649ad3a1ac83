"use client";
import { Check, ChevronDown, Plus } from "lucide-react";
import { useState } from "react";
import { rpcMember, type RpcRule, withRules } from "@/app/(console)/functionalgroups/group-form";
import type { Change } from "@/app/(console)/functionalgroups/manage/general-section";
import type { GroupFacts, RpcChoice } from "@/app/(console)/functionalgroups/manage/group-facts";
import { Button } from "@/app/_components/ui/button";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { cn } from "@/app/_components/ui/cn";
import { textInputClass } from "@/app/_components/fields/input-class";
import { Menu } from "@/app/_components/overlay/menu";
import { useStoredText } from "@/app/_components/hooks/use-preference";

const searchFrom = 12;

/** Which parameters of an RPC the group allows. */
export function ParameterEditor({
  name,
  rule,
  choice,
  facts,
  change,
  siblings,
}: Readonly<{
  name: string;
  rule: RpcRule;
  choice: RpcChoice | undefined;
  facts: GroupFacts;
  change: Change;
  /** RPCs of the group that have parameters, this one included. */
  siblings: readonly string[];
}>) {
  const [filter, setFilter] = useState("");
  const [stepText, setStepText] = useStoredText("parameters-in-step");
  const chosen = new Set(rule.parameters);
  const possible = choice?.parameters ?? [];
  const wanted = filter.trim().toLowerCase();
  const shown = possible.filter(({ key }) => key.toLowerCase().includes(wanted));
  const others = siblings.filter((one) => one !== name);
  const isInStep = stepText === "on" && others.length > 0;
  const usable = new Set(facts.usable[name]);

  /** Changes the parameters here and, in step, of the other RPCs that have them too. */
  function set(update: (parameters: readonly string[], known: ReadonlySet<string>) => readonly string[]) {
    change?.((value) => {
      const names = isInStep ? siblings : [name];
      const rules = names.flatMap((rpc) => {
        const old = value[rpcMember(rpc)];
        const known = new Set(facts.rpcs.find((one) => one.name === rpc)?.parameters.map(({ key }) => key));
        return old ? [[rpc, { ...old, parameters: [...update(old.parameters, known)].toSorted() }] as const] : [];
      });
      return withRules(value, Object.fromEntries(rules));
    });
  }
  const add = (keys: readonly string[]) => {
    set((old, known) => [...new Set([...old, ...keys.filter((key) => known.has(key))])]);
  };
  const take = (keys: readonly string[]) => {
    set((old) => old.filter((key) => !keys.includes(key)));
  };

  const shownKeys = shown.map(({ key }) => key);
  const custom = possible.filter(({ isCustom }) => isCustom).map(({ key }) => key);
  return (
    <div role="group" aria-label={`Parameters of ${name}`} className="space-y-2.5">
      <div className="flex flex-wrap items-center gap-2">
        {possible.length > searchFrom && (
          <input
            type="search"
            value={filter}
            aria-label={`Search the parameters of ${name}`}
            placeholder="Search parameters"
            className={cn(textInputClass, "h-7 sm:w-52")}
            onChange={(event) => {
              setFilter(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") event.preventDefault();
            }}
          />
        )}
        {change && (
          <>
            <Button
              size="sm"
              onClick={() => {
                add(shownKeys);
              }}
            >
              {wanted === "" ? "All" : "All found"}
            </Button>
            <Button
              size="sm"
              onClick={() => {
                take(wanted === "" ? [...rule.parameters, ...shownKeys] : shownKeys);
              }}
            >
              {wanted === "" ? "None" : "None found"}
            </Button>
            {custom.length > 0 && (
              <Button
                size="sm"
                onClick={() => {
                  set((_, known) => custom.filter((key) => known.has(key)));
                }}
              >
                Only custom
              </Button>
            )}
            {others.length > 0 && (
              <Menu
                align="start"
                trigger={
                  <Button size="sm">
                    Same as
                    <ChevronDown aria-hidden="true" />
                  </Button>
                }
                entries={others.map((other) => ({
                  label: other,
                  onSelect: () => {
                    change((value) => {
                      const known = new Set(possible.map(({ key }) => key));
                      const copied = value[rpcMember(other)]?.parameters.filter((key) => known.has(key)) ?? [];
                      return withRules(value, { [name]: { ...rule, parameters: copied } });
                    });
                  },
                }))}
              />
            )}
          </>
        )}
      </div>
      {change && others.length > 0 && (
        <label className="flex min-h-6 items-center gap-2.5 text-table">
          <Checkbox
            checked={isInStep}
            onChange={(isOn) => {
              setStepText(isOn ? "on" : null);
            }}
          />
          Change {others.join(", ")} in step
        </label>
      )}
      <div className="flex flex-wrap gap-1.5">
        {shown.map(({ key, isCustom }) => {
          const isOn = chosen.has(key);
          const note = describeParameter({
            isCustom,
            isUsable: usable.has(key),
            isStaged: facts.stagedVehicleData.includes(key),
          });
          return (
            <button
              key={key}
              type="button"
              aria-pressed={isOn}
              aria-disabled={change === undefined || undefined}
              title={note?.title}
              className={cn(
                "inline-flex h-6 items-center gap-1 rounded-full border px-2 text-xs pointer-coarse:h-11 pointer-coarse:px-3",
                isOn ? "border-accent-line bg-accent-soft font-medium text-text" : "border-edge bg-surface text-muted",
                change ? "hover:border-accent" : "cursor-default",
              )}
              onClick={() => {
                if (isOn) take([key]);
                else add([key]);
              }}
            >
              {isOn ? (
                <Check aria-hidden="true" className="size-3.5 text-link" />
              ) : (
                <Plus aria-hidden="true" className="size-3.5" />
              )}
              {key}
              {note && <span className="font-normal text-muted">{note.word}</span>}
            </button>
          );
        })}
        {shown.length === 0 && <p className="text-table text-muted">No parameter of this name.</p>}
      </div>
    </div>
  );
}

function describeParameter({
  isCustom,
  isUsable,
  isStaged,
}: Readonly<{ isCustom: boolean; isUsable: boolean; isStaged: boolean }>) {
  if (isStaged && isCustom) {
    return { word: "custom, staging only", title: "Has to be promoted before this group, or production leaves it out" };
  }
  if (isCustom) return { word: "custom", title: "Custom vehicle data" };
  if (!isUsable) return { word: "not in the specification", title: "Left out of policy tables" };
  return null;
}
