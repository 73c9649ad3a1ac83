"use client";
import { Undo2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import useSWR from "swr";
import { useRestore } from "@/app/(console)/functionalgroups/use-restore";
import { Button } from "@/app/_components/button";
import { showProblem } from "@/app/_components/show-toast";
import { type NewestRecord, NewestVersion } from "@/app/_components/newest-version";
import { groupPath } from "@/lib/groups/list-address";
import { get } from "@/lib/http/client";

/** Leads to the newest version of the group that an address was about, or brings it back when it was deleted. */
export function NewestGroup() {
  return (
    <>
      <NewestVersion find={(query) => findGroup(query.get("id"), query.get("name"))} />
      <RestoreGroup />
    </>
  );
}

/** The way back of a deletion that is in production. */
function RestoreGroup() {
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

async function findGroup(id: string | null, given: string | null): Promise<NewestRecord | null> {
  const name = id === null ? given : await findNameOf(id);
  if (name === null) return null;
  const { group } = (await get(`/api/v1/ui/groups/body?name=${encodeURIComponent(name)}`)) as { group: object | null };
  return group && { name, href: groupPath({ name }, "staging") };
}

async function findNameOf(id: string): Promise<string | null> {
  if (!/^\d{1,15}$/.test(id)) return null;
  const { groups } = (await get(`/api/v1/groups?id=${id}`)) as {
    readonly groups: readonly { readonly name: string }[];
  };
  return groups[0]?.name ?? null;
}
