import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import useSWR from "swr";
import {
  addPermissions,
  type WantedPermission,
  emptyForm,
  type GroupForm,
  toBody,
  fromLevelUp,
  groupFamily,
} from "./group-form";
import { LevelField, useNewRpcLevel } from "./level-field";
import { GroupEffect, useSaveEffect } from "./group-effect";
import { Button } from "@/app/_components/ui/button";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import { Dialog, DialogClose } from "@/app/_components/overlay/dialog";
import { Notice } from "@/app/_components/feedback/notice";
import { Problem } from "@/app/_components/feedback/problem";
import { showDone } from "@/app/_components/feedback/show-toast";
import { TextField } from "@/app/_components/fields/text-field";
import { useAction } from "@/app/_components/hooks/use-action";
import { readRecord } from "@/app/_records/family";
import { plural } from "@/lib/vocabulary/format-number";
import type { HmiLevel } from "@/lib/vocabulary/terms";
import { groupPath } from "@/lib/records/groups/list-address";
import { ApiError } from "@/lib/platform/http/client";

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
  const [target, setTarget] = useState<Target>({ isNew: groupNames.length === 0, existing: null, newName: "" });
  const [level, setLevel] = useNewRpcLevel();
  const first = useRef<HTMLInputElement>(null);
  const levels = fromLevelUp(level);
  const { name, isReady, effect, add, isRunning, problem } = useAddition(target, wanted, levels, groupNames);
  const lost = wanted.filter(isWithoutRpc);
  const canAdd = isReady && lost.length < wanted.length;
  const router = useRouter();

  async function submit() {
    if (!(await add())) return;
    onAdded();
    onClose();
    showDone(`Saved to staging: ${plural(wanted.length, "permission")} in ${name}`, {
      label: "Open group",
      onClick: () => router.push(groupPath({ name }, "staging")),
    });
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Add ${wanted.length === 1 ? wanted[0]?.name : `${wanted.length} permissions`} to a group`}
      initialFocus={first}
      footer={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button
            variant="primary"
            needsServer
            needs="edit"
            disabled={!canAdd}
            busy={isRunning}
            onClick={() => void submit()}
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
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !canAdd) return;
          event.preventDefault();
          void submit();
        }}
      >
        <p className="max-h-24 overflow-y-auto text-table text-muted">{wanted.map((one) => one.name).join(", ")}</p>
        {lost.length > 0 && (
          <Notice>
            {lost.map((one) => one.name).join(", ")}: the directory lists no RPC with this parameter, so it cannot be
            added to a group.
          </Notice>
        )}
        <TargetFields target={target} groupNames={groupNames} onChange={setTarget} />
        <LevelField
          label="HMI levels of RPCs that are new to the group"
          value={level}
          onChange={setLevel}
          hint="RPCs already in the group keep their levels. A parameter is added to all of its RPCs."
        />
        {(target.isNew || target.existing !== null) && (
          <section className="space-y-1.5">
            <h3 className="text-table font-semibold">Effect on apps in staging</h3>
            <GroupEffect {...effect} />
          </section>
        )}
        {problem !== null && <Problem error={problem} />}
      </div>
    </Dialog>
  );
}

interface Target {
  readonly isNew: boolean;
  readonly existing: string | null;
  readonly newName: string;
}

const isWithoutRpc = ({ type, parents }: WantedPermission) => type === "PARAMETER" && parents.length === 0;

function useAddition(
  { isNew, existing, newName }: Target,
  wanted: readonly WantedPermission[],
  levels: readonly HmiLevel[],
  groupNames: readonly string[],
) {
  const save = useAction("/api/v1/groups");
  const [problem, setProblem] = useState<unknown>(null);
  const name = isNew ? newName.trim() : (existing ?? "");
  const { data: group } = useSWR(!isNew && existing !== null ? ["group-to-add-to", existing] : null, () =>
    readRecord(groupFamily, name),
  );
  const added = (form: GroupForm) => addPermissions(form, wanted, levels);
  // The effect of a new group does not depend on its name.
  const tried = isNew
    ? toBody(added({ ...emptyForm, name: "New group" }), null)
    : group && toBody(added(group.form), group.id, group.isDeleted);

  async function add(): Promise<boolean> {
    setProblem(null);
    try {
      const newest = isNew
        ? { id: 0, form: { ...emptyForm, name }, isDeleted: false }
        : await readRecord(groupFamily, name);
      if (newest.isDeleted) throw new ApiError(`${name} is marked for deletion. Restore it first.`, 0, null, null);
      await save.run(toBody(added(newest.form), newest.id));
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    }
  }

  return {
    name,
    isReady: name !== "" && !(isNew && groupNames.includes(name)),
    effect: useSaveEffect(tried ?? null),
    add,
    isRunning: save.isRunning,
    problem,
  };
}

function TargetFields({
  target,
  groupNames,
  onChange,
}: Readonly<{ target: Target; groupNames: readonly string[]; onChange: (target: Target) => void }>) {
  const { isNew, existing, newName } = target;
  const isTaken = groupNames.includes(newName.trim());
  return (
    <>
      <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
        <legend className="mb-1.5 text-table font-medium">Into</legend>
        {[false, true].map((choice) => (
          <label key={String(choice)} className="flex min-h-6 items-center gap-2">
            <input
              type="radio"
              name="target"
              className="size-4 accent-accent"
              checked={isNew === choice}
              onChange={() => onChange({ ...target, isNew: choice })}
            />
            {choice ? "A new group" : "An existing group"}
          </label>
        ))}
      </fieldset>
      {isNew ? (
        <TextField
          label="Name of the new group"
          value={newName}
          onChange={(name) => onChange({ ...target, newName: name })}
          maxLength={255}
          error={isTaken ? "A group with this name exists. Choose it as an existing group." : null}
        />
      ) : (
        <ComboboxField
          label="Group"
          value={existing}
          onChange={(name) => onChange({ ...target, existing: name })}
          options={groupNames.map((one) => ({ value: one, label: one }))}
          placeholder="Type a name"
          emptyText="No group with this name"
        />
      )}
    </>
  );
}
