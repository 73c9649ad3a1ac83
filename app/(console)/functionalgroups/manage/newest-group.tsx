"use client";
import { findNameOf } from "@/app/(console)/functionalgroups/manage/find-name";
import { RestoreGroup } from "@/app/(console)/functionalgroups/manage/restore-group";
import { type NewestRecord, NewestVersion } from "@/app/_records/newest-version";
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

async function findGroup(id: string | null, given: string | null): Promise<NewestRecord | null> {
  const name = id === null ? given : await findNameOf(id);
  if (name === null) return null;
  const { group } = (await get(`/api/v1/ui/groups/body?name=${encodeURIComponent(name)}`)) as { group: object | null };
  return group && { name, href: groupPath({ name }, "staging") };
}
