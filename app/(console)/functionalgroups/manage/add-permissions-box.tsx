"use client";
import { Combobox } from "@base-ui/react/combobox";
import { CircleDashed, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { addPermissions, type WantedPermission } from "@/app/(console)/functionalgroups/add-permissions";
import { type GroupForm, rpcMember } from "@/app/(console)/functionalgroups/group-form";
import { LevelField, useNewRpcLevel } from "@/app/(console)/functionalgroups/level-field";
import { fromLevelUp } from "@/app/(console)/functionalgroups/levels";
import type { Change } from "@/app/(console)/functionalgroups/manage/general-section";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import { Field } from "@/app/_components/field";
import { cn } from "@/app/_components/cn";
import { inputClass } from "@/app/_components/input-class";
import { itemClass, popupClass } from "@/app/_components/popup-class";

const mostShown = 60;

interface Choice extends WantedPermission {
  readonly isUnmapped: boolean;
}

/** Adds RPCs and parameters: one after the other from a list, or many by pasting their names. */
export function AddPermissions({
  form,
  facts,
  change,
}: Readonly<{ form: GroupForm; facts: GroupFacts; change: NonNullable<Change> }>) {
  const [level, setLevel] = useNewRpcLevel();
  const [text, setText] = useState("");
  const [told, setTold] = useState("");
  const all = useMemo(() => listChoices(facts), [facts]);
  const open = useMemo(() => all.filter((one) => !isHeld(form, one)), [all, form]);

  function add(wanted: readonly WantedPermission[]) {
    change((value) => addPermissions(value, wanted, fromLevelUp(level)));
  }

  function paste(pasted: string): boolean {
    const words = pasted.split(/[\s,;|"']+/).filter((word) => word !== "");
    if (words.length < 2) return false;
    const byName = new Map(all.map((one) => [one.name.toLowerCase(), one]));
    const found = words.flatMap((word) => byName.get(word.toLowerCase()) ?? []);
    const unknown = words.filter((word) => !byName.has(word.toLowerCase()));
    const fresh = found.filter((one) => !isHeld(form, one));
    add(fresh);
    const parts = [
      `Added ${fresh.length} of ${words.length}`,
      ...(found.length > fresh.length ? [`${found.length - fresh.length} were there already`] : []),
      ...(unknown.length > 0 ? [`not known: ${unknown.join(", ")}`] : []),
    ];
    setTold(`${parts.join("; ")}.`);
    setText("");
    return true;
  }

  return (
    <div className="grid gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,1fr)_17rem]">
      <Field label="Add RPCs or parameters">
        <Combobox.Root
          multiple
          items={open}
          value={[]}
          inputValue={text}
          limit={mostShown}
          autoHighlight
          itemToStringLabel={(choice: Choice) => choice.name}
          isItemEqualToValue={(one: Choice, other: Choice) => one.name === other.name}
          onInputValueChange={(next, { reason }) => {
            // Choosing leaves what was typed: the next one may be beside it.
            if (reason === "input-change" || reason === "input-clear") setText(next);
          }}
          onValueChange={(chosen: readonly Choice[]) => {
            add(chosen);
            setTold(chosen.map(({ name }) => `${name} added.`).join(" "));
          }}
        >
          <Combobox.InputGroup className="relative">
            <Plus
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
            />
            <Combobox.Input
              placeholder="Type a name, or paste a list"
              className={cn(inputClass, "pl-8")}
              onPaste={(event) => {
                if (paste(event.clipboardData.getData("text"))) event.preventDefault();
              }}
              onKeyDown={(event) => {
                // Enter chooses; it must not save the form when nothing is highlighted.
                if (event.key === "Enter") event.preventDefault();
              }}
            />
          </Combobox.InputGroup>
          <Combobox.Portal>
            <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
              <Combobox.Popup className={cn(popupClass, "w-(--anchor-width) min-w-72")}>
                <Combobox.Empty>
                  <p className="px-3 py-3 text-table text-muted">Nothing of this name that the group does not hold</p>
                </Combobox.Empty>
                <Combobox.List className="max-h-[min(22rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
                  {(choice: Choice) => (
                    <Combobox.Item key={choice.name} value={choice} className={itemClass}>
                      <span className="min-w-0 grow">
                        {choice.name}
                        {choice.type === "PARAMETER" && (
                          <span className="block truncate text-xs text-muted">{choice.parents.join(", ")}</span>
                        )}
                      </span>
                      {choice.isUnmapped && (
                        <span className="inline-flex items-center gap-1 text-xs text-warn">
                          <CircleDashed aria-hidden="true" />
                          unmapped
                        </span>
                      )}
                      <span className="text-xs text-muted">{choice.type === "RPC" ? "RPC" : "parameter"}</span>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      </Field>
      <LevelField label="at" value={level} onChange={setLevel} />
      <p role="status" className="text-xs text-muted empty:hidden sm:col-span-2">
        {told}
      </p>
    </div>
  );
}

/** Unmapped ones first: most are looked for to be put somewhere. Then RPCs before parameters, by name. */
function listChoices({ rpcs, unmapped }: GroupFacts): Choice[] {
  const isUnmapped = new Set(unmapped);
  const parents = new Map<string, string[]>();
  for (const { name, parameters } of rpcs) {
    for (const { key } of parameters) parents.set(key, [...(parents.get(key) ?? []), name]);
  }
  const choices: Choice[] = [
    ...rpcs.map(({ name }): Choice => ({ name, type: "RPC", parents: [], isUnmapped: isUnmapped.has(name) })),
    ...Array.from(parents, ([name, of]): Choice => ({
      name,
      type: "PARAMETER",
      parents: of,
      isUnmapped: isUnmapped.has(name),
    })),
  ];
  const rank = (one: Choice) => (one.isUnmapped ? 0 : 2) + (one.type === "RPC" ? 0 : 1);
  return choices.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

function isHeld(form: GroupForm, { name, type, parents }: WantedPermission): boolean {
  if (type === "RPC") return Boolean(form[rpcMember(name)]);
  return parents.every((parent) => form[rpcMember(parent)]?.parameters.includes(name) === true);
}
