"use client";
import dynamic from "next/dynamic";
import { groupFamily } from "@/app/(console)/functionalgroups/group-family";

// Fetched only where it is needed: this page comes along with every group.
const RecordNotFound = dynamic(() => import("@/app/_records/record-not-found").then((module) => module.RecordNotFound));
const RestoreGroup = dynamic(
  () => import("@/app/(console)/functionalgroups/manage/restore-group").then((module) => module.RestoreGroup),
  { ssr: false },
);

export default function GroupNotFound() {
  return (
    <RecordNotFound family={groupFamily}>
      <RestoreGroup />
    </RecordNotFound>
  );
}
