"use client";
import { Undo2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import useSWR from "swr";
import { findRemovedName } from "@/app/(console)/functionalgroups/group-family";
import { useRestore } from "@/app/(console)/functionalgroups/use-restore";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { Button } from "@/app/_components/ui/button";
import { readAddress } from "@/app/_records/record-not-found";

/** The way back of a deletion that is in production. */
export function RestoreGroup() {
  const query = useSearchParams();
  const { restore, isRunning } = useRestore();
  const { data: name } = useSWR(["removed-group", query.toString()], () => findRemovedName(readAddress(query)));
  return (
    name && (
      <Button
        variant="primary"
        needsServer
        needs="edit"
        busy={isRunning}
        onClick={() => void restore(name).catch(showProblem)}
      >
        <Undo2 aria-hidden="true" />
        Restore {name} in staging
      </Button>
    )
  );
}
