import { Undo2 } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import useSWR from "swr";
import { readGroup, findRemovedName, groupFamily } from "../group-family";
import { toBody, toForm } from "../group-form";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { readAddress, RecordNotFound } from "@/app/_records/record-not-found";
import { groupPath } from "@/lib/content/groups/list-address";

/** A group that is not there; one that has been deleted can be brought back. */
export function GroupNotFound() {
  return (
    <RecordNotFound family={groupFamily}>
      <RestoreGroup />
    </RecordNotFound>
  );
}

/** Saves the last content of a group that production has lost to staging, and opens its page, where it is published. */
function RestoreGroup() {
  const query = useSearchParams();
  const router = useRouter();
  const save = useAction("/api/v1/groups");
  const { data: name } = useSWR(["removed-group", query.toString()], () => findRemovedName(readAddress(query)));

  async function restore(removed: string): Promise<void> {
    // Of a deleted group the answer holds what it had before.
    const newest = await readGroup(removed, true);
    await save.run(toBody(toForm(newest), newest.id));
    showDone(`Restored ${removed} in staging. Publish it to give it back to vehicles.`);
    // By its id: the page of the deleted group has the address with the name, and would stay what it is.
    router.push(groupPath({ id: (await readGroup(removed)).id }, "staging"));
  }

  return (
    name && (
      <Button
        variant="primary"
        needsServer
        needs="edit"
        busy={save.isRunning}
        onClick={() => void restore(name).catch(showProblem)}
      >
        <Undo2 aria-hidden="true" />
        Restore {name} in staging
      </Button>
    )
  );
}
