import { Check, ChevronDown, Plus } from "lucide-react";
import { useState } from "react";
import { listRules, rpcMember, type RpcRule, withRules } from "../../group-form";
import type { GroupFacts, GroupPart } from "../group-facts";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { SearchInput } from "@/app/_components/fields/search-input";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import { Menu } from "@/app/_components/overlay/menu";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";

const searchFrom = 12;

export function ParameterEditor({ name, rule, part }: Readonly<{ name: string; rule: RpcRule; part: GroupPart }>) {
  const { form, facts, change } = part;
  const [filter, setFilter] = useState("");
  const [stepText, setStepText] = useStoredText("parameters-in-step");
  const possible = listParameters(facts, name);
  const keys = possible.map(({ key }) => key);
  const wanted = filter.trim().toLowerCase();
  const found = keys.filter((key) => key.toLowerCase().includes(wanted));
  const custom = possible.flatMap(({ key, isCustom }) => (isCustom ? [key] : []));
  const others = listRules(form).flatMap(([rpc]) =>
    rpc !== name && listParameters(facts, rpc).length > 0 ? [rpc] : [],
  );
  const isInStep = stepText === "on" && others.length > 0;

  /** Also changes, in step, the other RPCs that have these parameters. */
  function set(update: (parameters: readonly string[]) => readonly string[]) {
    change?.((value) => {
      const rules = (isInStep ? [name, ...others] : [name]).flatMap((rpc) => {
        const old = value[rpcMember(rpc)];
        if (!old) return [];
        const known = new Set([...old.parameters, ...listParameters(facts, rpc).map(({ key }) => key)]);
        const next = [...new Set(update(old.parameters))].filter((key) => known.has(key));
        return [[rpc, { ...old, parameters: next.toSorted() }] as const];
      });
      return withRules(value, Object.fromEntries(rules));
    });
  }
  const add = (some: readonly string[]) => set((old) => [...old, ...some]);
  const take = (some: readonly string[]) => set((old) => old.filter((key) => !some.includes(key)));
  const copyFrom = (other: string) =>
    change?.((value) => {
      const copied = value[rpcMember(other)]?.parameters.filter((key) => keys.includes(key)) ?? [];
      return withRules(value, { [name]: { ...rule, parameters: copied } });
    });

  return (
    <div role="group" aria-label={`Parameters of ${name}`} className="space-y-2.5">
      <div className="flex flex-wrap items-center gap-2">
        {keys.length > searchFrom && (
          <SearchInput
            label={`Search the parameters of ${name}`}
            placeholder="Search parameters"
            value={filter}
            onChange={setFilter}
            className="h-7 sm:w-52"
          />
        )}
        {change && (
          <>
            <Button size="sm" onClick={() => add(found)}>
              {wanted === "" ? "All" : "All found"}
            </Button>
            <Button size="sm" onClick={() => take(wanted === "" ? [...rule.parameters, ...found] : found)}>
              {wanted === "" ? "None" : "None found"}
            </Button>
            {custom.length > 0 && (
              <Button size="sm" onClick={() => set(() => custom)}>
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
                entries={others.map((other) => ({ label: other, onSelect: () => copyFrom(other) }))}
              />
            )}
          </>
        )}
      </div>
      {change && others.length > 0 && (
        <label className="flex min-h-6 items-center gap-2.5 text-table">
          <Checkbox checked={isInStep} onChange={(isOn) => setStepText(isOn ? "on" : null)} />
          Change {others.join(", ")} in step
        </label>
      )}
      <div className="flex flex-wrap gap-1.5">
        {found.map((key) => (
          <ParameterButton
            key={key}
            name={key}
            isOn={rule.parameters.includes(key)}
            note={describeParameter(facts, name, { key, isCustom: custom.includes(key) })}
            onToggle={change && ((isOn) => (isOn ? add([key]) : take([key])))}
          />
        ))}
        {found.length === 0 && <p className="text-table text-muted">No parameter with this name.</p>}
      </div>
    </div>
  );
}

const listParameters = ({ rpcs }: GroupFacts, rpc: string) => rpcs.find(({ name }) => name === rpc)?.parameters ?? [];

interface Note {
  readonly word: string;
  readonly title: string;
}

function ParameterButton({
  name,
  isOn,
  note,
  onToggle,
}: Readonly<{ name: string; isOn: boolean; note: Note | null; onToggle: ((isOn: boolean) => void) | undefined }>) {
  const Icon = isOn ? Check : Plus;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-disabled={onToggle === undefined || undefined}
      title={note?.title}
      className={cn(
        "inline-flex h-6 items-center gap-1 rounded-full border px-2 text-xs pointer-coarse:h-11 pointer-coarse:px-3",
        isOn ? "border-accent-line bg-accent-soft font-medium text-text" : "border-edge bg-surface text-muted",
        onToggle ? "hover:border-accent" : "cursor-default",
      )}
      onClick={() => onToggle?.(!isOn)}
    >
      <Icon aria-hidden="true" className={cn("size-3.5", isOn && "text-link")} />
      {name}
      {note && <span className="font-normal text-muted">{note.word}</span>}
    </button>
  );
}

function describeParameter(
  { usable, stagedVehicleData }: GroupFacts,
  rpc: string,
  { key, isCustom }: { readonly key: string; readonly isCustom: boolean },
): Note | null {
  if (isCustom && stagedVehicleData.includes(key)) {
    return { word: "custom, staging only", title: "Publish it before this group, or production leaves it out" };
  }
  if (isCustom) return { word: "custom", title: "Custom vehicle data" };
  if (usable[rpc]?.includes(key)) return null;
  return { word: "not in the specification", title: "Left out of policy tables" };
}
