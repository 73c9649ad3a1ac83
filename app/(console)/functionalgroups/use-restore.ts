"use client";
import { useRouter } from "next/navigation";
import { readGroup } from "@/app/(console)/functionalgroups/group-api";
import { toBody, toForm } from "@/app/(console)/functionalgroups/group-form";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { groupPath } from "@/lib/content/groups/list-address";

/**
 * Gives what brings a group back that production has lost: its last content is saved to staging, and its page, where it
 * is promoted, is opened.
 */
export function useRestore() {
  const save = useAction("/api/v1/groups");
  const router = useRouter();

  /** @throws ApiError */
  async function restore(name: string): Promise<void> {
    // Of a deleted group the answer holds what it had before.
    const newest = await readGroup(name, true);
    await save.run(toBody(toForm(newest), newest.id));
    showDone(`Restored ${name} in staging. Promote it to give it back to vehicles.`);
    // By its id: the page of the deleted group has the address with the name, and would stay what it is.
    router.push(groupPath({ id: (await readGroup(name)).id }, "staging"));
  }

  return { restore, isRunning: save.isRunning };
}
