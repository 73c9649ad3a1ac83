"use client";
import { type NewestRecord, NewestVersion } from "@/app/_components/newest-version";
import { groupPath } from "@/lib/groups/list-address";
import { get } from "@/lib/http/client";

/** Leads to the newest version of the group that an address was about. */
export function NewestGroup() {
  return <NewestVersion find={(query) => findGroup(query.get("id"), query.get("name"))} />;
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
