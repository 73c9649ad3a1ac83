"use client";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import useSWR from "swr";
import { addPermissions, type WantedPermission } from "@/app/(console)/functionalgroups/add-permissions";
import { buildChange, readGroup } from "@/app/(console)/functionalgroups/group-api";
import { emptyForm, toBody } from "@/app/(console)/functionalgroups/group-form";
import { LevelField, useNewRpcLevel } from "@/app/(console)/functionalgroups/level-field";
import { fromLevelUp } from "@/app/(console)/functionalgroups/levels";
import { SaveEffect, useSaveEffect } from "@/app/(console)/functionalgroups/save-effect";
import { Button } from "@/app/_components/ui/button";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import { Dialog, DialogClose } from "@/app/_components/overlay/dialog";
import { Notice } from "@/app/_components/feedback/notice";
import { Problem } from "@/app/_components/feedback/problem";
import { showDone } from "@/app/_components/feedback/show-toast";
import { TextField } from "@/app/_components/fields/text-field";
import { useAction } from "@/app/_components/hooks/use-action";
import { groupPath } from "@/lib/content/groups/list-address";
import { ApiError } from "@/lib/platform/http/client";

type Target = "existing" | "new";
const targets = [
  ["existing", "An existing group"],
  ["new", "A new group"],
] as const satisfies readonly (readonly [Target, string])[];

/** Puts permissions into one group with one save, in staging. */
export function AddToGroupDialog({
  wanted,
  groupNames,
  onClose,
  onAdded,
}: Readonly<{
  wanted: readonly WantedPermission[];
  groupNames: readonly string[];
  onClose: () => void;
  onAdded: () => void;
}>) {
  const router = useRouter();
  const [target, setTarget] = useState<Target>(groupNames.length > 0 ? "existing" : "new");
  const [existing, setExisting] = useState<string | null>(null);
  const [newName, setNewName] = useState("");
  const [level, setLevel] = useNewRpcLevel();
  const [problem, setProblem] = useState<unknown>(null);
  const save = useAction("/api/v1/groups");
  const first = useRef<HTMLInputElement>(null);
  const name = target === "existing" ? (existing ?? "") : newName.trim();
  // The effect of a new group does not hang on its name.
  const { data: group } = useSWR(
    target === "existing" && existing !== null ? ["group-to-add-to", existing] : null,
    () => readGroup(name),
  );
  const isTaken = target === "new" && groupNames.includes(name);
  const lost = wanted.filter(({ type, parents }) => type === "PARAMETER" && parents.length === 0);

  const levelsOfNew = fromLevelUp(level);
  const state = useSaveEffect(
    target === "new"
      ? toBody(addPermissions({ ...emptyForm, name: "New group" }, wanted, levelsOfNew), null)
      : group === undefined
        ? null
        : buildChange(group, (form) => addPermissions(form, wanted, levelsOfNew)),
  );

  async function add() {
    setProblem(null);
    const levels = fromLevelUp(level);
    try {
      if (target === "new") {
        const form = addPermissions({ ...emptyForm, name }, wanted, levels);
        await save.run(toBody(form, 0));
      } else {
        const group = await readGroup(name);
        if (group.is_deleted) throw new ApiError(`${name} is marked for deletion. Restore it first.`, 0, null, null);
        await save.run(buildChange(group, (form) => addPermissions(form, wanted, levels)));
      }
    } catch (error) {
      setProblem(error);
      return;
    }
    onAdded();
    onClose();
    showDone(`Saved to staging: ${wanted.length === 1 ? "1 permission" : `${wanted.length} permissions`} in ${name}`, {
      label: "Open the group",
      onClick: () => {
        router.push(groupPath({ name }, "staging"));
      },
    });
  }

  const isReady = name !== "" && !isTaken && lost.length < wanted.length;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Add ${describeWanted(wanted)} to a group`}
      initialFocus={first}
      footer={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button
            variant="primary"
            needsServer
            needs="edit"
            disabled={!isReady}
            busy={save.isRunning}
            onClick={() => void add()}
          >
            Save
          </Button>
        </>
      }
    >
      <div
        className="space-y-4"
        ref={(element) => {
          first.current = element?.querySelector<HTMLInputElement>("input[type=text], input:not([type])") ?? null;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !isReady) return;
          event.preventDefault();
          void add();
        }}
      >
        <p className="max-h-24 overflow-y-auto text-table text-muted">{wanted.map((one) => one.name).join(", ")}</p>
        {lost.length > 0 && (
          <Notice>
            {lost.map((one) => one.name).join(", ")}: the directory names no RPC that has it, so it cannot be put into a
            group.
          </Notice>
        )}
        <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
          <legend className="mb-1.5 text-table font-medium">Into</legend>
          {targets.map(([value, label]) => (
            <label key={value} className="flex min-h-6 items-center gap-2">
              <input
                type="radio"
                name="target"
                className="size-4 accent-accent"
                checked={target === value}
                onChange={() => {
                  setTarget(value);
                }}
              />
              {label}
            </label>
          ))}
        </fieldset>
        {target === "existing" ? (
          <ComboboxField
            label="Group"
            value={existing}
            onChange={setExisting}
            options={groupNames.map((one) => ({ value: one, label: one }))}
            placeholder="Type a name"
            emptyText="No group of this name"
          />
        ) : (
          <TextField
            label="Name of the new group"
            value={newName}
            onChange={setNewName}
            maxLength={255}
            error={isTaken ? "There is a group of this name. Choose it as an existing group." : null}
          />
        )}
        <LevelField
          label="HMI levels of the RPCs that are new to the group"
          value={level}
          onChange={setLevel}
          hint="RPCs that the group holds already keep their levels. A parameter comes under all of its RPCs."
        />
        {(target === "new" || existing !== null) && (
          <section className="space-y-1.5">
            <h3 className="text-table font-semibold">What this does to apps in staging</h3>
            <SaveEffect {...state} />
          </section>
        )}
        {problem !== null && <Problem error={problem} />}
      </div>
    </Dialog>
  );
}

function describeWanted(wanted: readonly WantedPermission[]): string {
  const [only] = wanted;
  return wanted.length === 1 && only ? only.name : `${wanted.length} permissions`;
}
