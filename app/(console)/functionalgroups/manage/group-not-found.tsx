import { Undo2 } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import useSWR from "swr";
import { toBody, groupFamily } from "../group-form";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { findRecord, type RecordAddress, readRecord } from "@/app/_records/family";
import { readAddress, RecordNotFound } from "@/app/_records/record-not-found";
import { groupPath } from "@/lib/records/groups/list-address";

export function GroupNotFound() {
  return (
    <RecordNotFound kind={groupFamily}>
      <RestoreGroup />
    </RecordNotFound>
  );
}

function RestoreGroup() {
  const query = useSearchParams();
  const router = useRouter();
  const save = useAction("/api/v1/groups");
  const { data: removed } = useSWR(["removed-group", query.toString()], () => findRemoved(readAddress(query)));

  async function restore({ name, form, id }: NonNullable<typeof removed>): Promise<void> {
    await save.run(toBody(form, id));
    showDone(`Restored ${name} in staging. Publish it to give it back to vehicles.`);
    // By id: the address with the name is the one in view, so opening it would not reload the page.
    router.push(groupPath({ id: (await readRecord(groupFamily, name)).id }, "staging"));
  }

  return (
    removed && (
      <Button
        variant="primary"
        needsServer
        needs="edit"
        busy={save.isRunning}
        onClick={() => void restore(removed).catch(showProblem)}
      >
        <Undo2 aria-hidden="true" />
        Restore {removed.name} in staging
      </Button>
    )
  );
}

/** The last content of a group whose deletion has been published. */
async function findRemoved(address: RecordAddress) {
  const newest = await findRecord(groupFamily, address);
  return newest === null ? findRecord(groupFamily, { ...address, isGone: true }) : null;
}
