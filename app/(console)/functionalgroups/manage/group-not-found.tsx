"use client";
import { groupFamily } from "@/app/(console)/functionalgroups/group-family";
import { RestoreGroup } from "@/app/(console)/functionalgroups/manage/restore-group";
import { RecordNotFound } from "@/app/_records/record-not-found";

/** A group that is not there; one that has been deleted can be brought back. */
export function GroupNotFound() {
  return (
    <RecordNotFound family={groupFamily}>
      <RestoreGroup />
    </RecordNotFound>
  );
}
