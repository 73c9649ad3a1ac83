import useSWR from "swr";
import { type GroupForm, toBody, groupFamily } from "./group-form";
import { GroupEffect, useSaveEffect } from "./group-effect";
import { readRecord, type StoredRecord } from "@/app/_records/family";
import { type Removal, type RemovedRecord, RemovalDialog as SharedDialog } from "@/app/_records/removal-dialog";

export function RemovalDialog({ group, ...removal }: Readonly<Removal<GroupForm> & { group: RemovedRecord }>) {
  const { isRestore } = removal;
  const { data: stored, error: unread } = useSWR<StoredRecord<GroupForm>, unknown>(
    ["group-to-remove", group.name],
    () => readRecord(groupFamily, group.name),
    { dedupingInterval: 0, revalidateOnFocus: false },
  );
  const state = useSaveEffect(stored === undefined ? null : toBody(stored.form, stored.id, !isRestore));
  return (
    <SharedDialog
      {...removal}
      family={groupFamily}
      record={group}
      // Every app loses a default group, so its name must be typed.
      typedWord={!isRestore && stored?.form.is_default === true ? group.name : undefined}
      isKnown={isRestore || stored !== undefined || unread !== undefined}
    >
      {unread === undefined && <GroupEffect {...state} />}
    </SharedDialog>
  );
}
