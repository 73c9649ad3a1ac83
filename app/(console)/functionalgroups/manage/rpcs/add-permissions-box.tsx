import { Plus } from "lucide-react";
import { type ClipboardEvent, useMemo, useState } from "react";
import { addPermissions, type WantedPermission, type GroupForm, rpcMember, fromLevelUp } from "../../group-form";
import { LevelField, useNewRpcLevel } from "../../level-field";
import type { GroupFacts, GroupPart } from "../group-facts";
import type { PermissionChoice, PermissionSearchProps } from "./permission-search";
import { Field } from "@/app/_components/fields/field";
import { PlainInput } from "@/app/_components/fields/plain-input";
import { InputOnDemand } from "@/app/_components/fields/input-on-demand";
import { onDemand } from "@/app/_components/overlay/on-demand";

const placeholder = "Type a name, or paste a list";

const usePermissionSearch = onDemand(() => import("./permission-search").then((m) => m.PermissionSearch));

export function AddPermissions({
  form,
  facts,
  change,
}: Readonly<Pick<GroupPart, "form" | "facts"> & { change: NonNullable<GroupPart["change"]> }>) {
  const [level, setLevel] = useNewRpcLevel();
  const [told, setTold] = useState("");
  const all = useMemo(() => listChoices(facts), [facts]);
  const open = useMemo(() => all.filter((one) => !isHeld(form, one)), [all, form]);

  function add(wanted: readonly WantedPermission[]) {
    change((value) => addPermissions(value, wanted, fromLevelUp(level)));
  }

  function choose(chosen: readonly PermissionChoice[]) {
    add(chosen);
    setTold(chosen.map(({ name }) => `${name} added.`).join(" "));
  }

  /** Accepts two or more pasted names; returns whether it did. */
  function paste(event: ClipboardEvent): boolean {
    const words = event.clipboardData
      .getData("text")
      .split(/[\s,;|"']+/)
      .filter((word) => word !== "");
    if (words.length < 2) return false;
    event.preventDefault();
    const byName = new Map(all.map((one) => [one.name.toLowerCase(), one]));
    const found = words.flatMap((word) => byName.get(word.toLowerCase()) ?? []);
    const unknown = words.filter((word) => !byName.has(word.toLowerCase()));
    const fresh = found.filter((one) => !isHeld(form, one));
    add(fresh);
    const parts = [
      `Added ${fresh.length} of ${words.length}`,
      ...(found.length > fresh.length ? [`${found.length - fresh.length} already there`] : []),
      ...(unknown.length > 0 ? [`not known: ${unknown.join(", ")}`] : []),
    ];
    setTold(`${parts.join("; ")}.`);
    return true;
  }

  return (
    <div className="grid gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,1fr)_17rem] print:hidden">
      <Field label="Add RPCs or parameters">
        <InputOnDemand<PermissionSearchProps>
          useCode={usePermissionSearch}
          plain={<PlainInput icon={Plus} placeholder={placeholder} onPaste={(event) => void paste(event)} />}
          props={{ choices: open, onChoose: choose, onPaste: paste, placeholder }}
        />
      </Field>
      <LevelField label="at" value={level} onChange={setLevel} />
      <p role="status" className="text-xs text-muted empty:hidden sm:col-span-2">
        {told}
      </p>
    </div>
  );
}

/** Unmapped ones first, because most searches are for them. */
function listChoices({ rpcs, unmapped }: GroupFacts): PermissionChoice[] {
  const isUnmapped = new Set(unmapped);
  const parents = new Map<string, string[]>();
  for (const { name, parameters } of rpcs) {
    for (const { key } of parameters) parents.set(key, [...(parents.get(key) ?? []), name]);
  }
  const choices: PermissionChoice[] = [
    ...rpcs.map(({ name }): PermissionChoice => ({ name, type: "RPC", parents: [], isUnmapped: isUnmapped.has(name) })),
    ...Array.from(parents, ([name, of]): PermissionChoice => ({
      name,
      type: "PARAMETER",
      parents: of,
      isUnmapped: isUnmapped.has(name),
    })),
  ];
  const rank = (one: PermissionChoice) => (one.isUnmapped ? 0 : 2) + (one.type === "RPC" ? 0 : 1);
  return choices.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

function isHeld(form: GroupForm, { name, type, parents }: WantedPermission): boolean {
  if (type === "RPC") return Boolean(form[rpcMember(name)]);
  return parents.every((parent) => form[rpcMember(parent)]?.parameters.includes(name) === true);
}
