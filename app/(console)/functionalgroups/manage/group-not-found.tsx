import { Undo2 } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import useSWR from "swr";
import { readGroup, findRemovedName, groupFamily } from "../group-family";
import { toBody, toForm } from "../group-form";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { readAddress, RecordNotFound } from "@/app/_records/record-not-found";
import { groupPath } from "@/lib/records/groups/list-address";

export function GroupNotFound() {
  return (
    <RecordNotFound family={groupFamily}>
      <RestoreGroup />
    </RecordNotFound>
  );
}

function RestoreGroup() {
  const query = useSearchParams();
  const router = useRouter();
  const save = useAction("/api/v1/groups");
  const { data: name } = useSWR(["removed-group", query.toString()], () => findRemovedName(readAddress(query)));

  async function restore(removed: string): Promise<void> {
    // For a deleted group, the response has its former content.
    const newest = await readGroup(removed, true);
    await save.run(toBody(toForm(newest), newest.id));
    showDone(`Restored ${removed} in staging. Publish it to give it back to vehicles.`);
    // By id: the address with the name is the one in view, so opening it would not reload the page.
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
