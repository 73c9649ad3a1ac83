"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import useSWR from "swr";
import { buildChange, readGroup } from "@/app/(console)/functionalgroups/group-api";
import { SaveEffect, useSaveEffect } from "@/app/(console)/functionalgroups/save-effect";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { showDone } from "@/app/_components/feedback/show-toast";
import { refuseUndo, undoAction } from "@/app/_components/feedback/undo-action";
import { useAction } from "@/app/_components/hooks/use-action";
import type { GroupBody } from "@/lib/groups/answer-schema";
import { ApiError } from "@/lib/http/client";

/** Deletes a group in staging, or takes that back. */
export function RemovalDialog({
  group,
  isRestore,
  onClose,
  onDone,
}: Readonly<{
  group: {
    /** Of the version that the page shows. */
    readonly id: number;
    readonly name: string;
    readonly isNew: boolean;
  };
  isRestore: boolean;
  onClose: () => void;
  onDone?: () => void;
}>) {
  const save = useAction("/api/v1/groups");
  const router = useRouter();
  // That of the page when the question was asked.
  const [shownId] = useState(group.id);
  const { data: stored, error: unread } = useSWR<GroupBody, unknown>(
    ["group-to-remove", group.name],
    () => readGroup(group.name),
    {
      dedupingInterval: 0,
      revalidateOnFocus: false,
    },
  );
  const state = useSaveEffect(stored === undefined ? null : buildChange(stored, (form) => form, !isRestore));
  // What every app loses is worth reading its name. Before it is known whether they do, nothing can be agreed to.
  const isTyped = !isRestore && stored?.is_default === true;
  const isKnown = isRestore || stored !== undefined || unread !== undefined;

  async function store() {
    const newest = await readGroup(group.name);
    if (newest.id !== shownId) {
      // What somebody else has made of it must be seen before it is decided about.
      router.refresh();
      const act = isRestore ? "restored" : "deleted";
      throw new ApiError(
        `Nothing was ${act}: someone else has saved ${group.name} meanwhile. The page shows their version now.`,
        409,
        null,
        null,
      );
    }
    await save.run(buildChange(newest, (form) => form, !isRestore));
  }

  async function undo() {
    const newest = await readGroup(group.name);
    if (!newest.is_deleted) refuseUndo("the group");
    await save.run(buildChange(newest, (form) => form, false));
    showDone(`Restored ${group.name} in staging`);
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isRestore ? `Restore ${group.name}?` : `Delete ${group.name}?`}
      confirmLabel={isRestore ? "Restore the group" : "Delete the group"}
      danger={!isRestore}
      disabledReason={isKnown ? null : " "}
      {...(isTyped ? { typedWord: group.name } : {})}
      onConfirm={async () => {
        await store();
        if (isRestore) showDone(`Restored ${group.name} in staging`);
        else showDone(`Deleted ${group.name} in staging`, undoAction(undo));
        onDone?.();
      }}
    >
      {isRestore ? (
        <p>It comes back to the staging table at once. In production it then stays as it is.</p>
      ) : (
        <p>
          It leaves the staging table at once
          {group.isNew ? "; it has never been in production." : " and the production table when this is promoted."}{" "}
          Until it is promoted, the deletion can be taken back.
        </p>
      )}
      {unread === undefined && <SaveEffect {...state} />}
    </ConfirmDialog>
  );
}
