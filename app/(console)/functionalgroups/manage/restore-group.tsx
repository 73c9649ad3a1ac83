"use client";
import { Undo2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import useSWR from "swr";
import { findNameOf } from "@/app/(console)/functionalgroups/manage/find-name";
import { useRestore } from "@/app/(console)/functionalgroups/use-restore";
import { Button } from "@/app/_components/ui/button";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { get } from "@/lib/http/client";

/** The way back of a deletion that is in production. */
export function RestoreGroup() {
  const query = useSearchParams();
  const { restore, isRunning } = useRestore();
  const { data: name } = useSWR(["removed-group", query.toString()], () =>
    findRemoved(query.get("id"), query.get("name")),
  );
  if (!name) return null;
  return (
    <Button
      variant="primary"
      needsServer
      busy={isRunning}
      onClick={() => {
        void restore(name).catch(showProblem);
      }}
    >
      <Undo2 aria-hidden="true" />
      Restore {name} in staging
    </Button>
  );
}

/** The name of a group whose deletion is in production; null: it is there, or never was. */
async function findRemoved(id: string | null, given: string | null): Promise<string | null> {
  const name = id === null ? given : await findNameOf(id);
  if (name === null) return null;
  const path = `/api/v1/ui/groups/body?name=${encodeURIComponent(name)}`;
  const there = (await get(path)) as { group: object | null };
  const gone = (await get(`${path}&gone=true`)) as { group: object | null };
  return there.group === null && gone.group !== null ? name : null;
}
