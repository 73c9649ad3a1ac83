"use client";
import { useSearchParams } from "next/navigation";
import useSWR from "swr";
import { buttonClass } from "@/app/_components/button-class";
import { groupPath } from "@/lib/groups/list-address";
import { get } from "@/lib/http/client";

/** Leads to the newest version of the group that an address was about, where there is one. */
export function NewestGroup() {
  const query = useSearchParams();
  const { data: name } = useSWR(["newest-group", query.get("id"), query.get("name")], ([, id, given]) =>
    findName(id, given),
  );
  if (!name) return null;
  return (
    // No step of the router: within one path it goes on showing that nothing was found.
    <a href={groupPath({ name }, "staging")} className={buttonClass({ variant: "primary" })}>
      {`Newest version of ${name}`}
    </a>
  );
}

/** Null: no version of the group is left, or its name is not known. */
async function findName(id: string | null, given: string | null): Promise<string | null> {
  const name = id === null ? given : await findNameOf(id);
  if (name === null) return null;
  const { group } = (await get(`/api/v1/ui/groups/body?name=${encodeURIComponent(name)}`)) as { group: object | null };
  return group && name;
}

async function findNameOf(id: string): Promise<string | null> {
  if (!/^\d{1,15}$/.test(id)) return null;
  const { groups } = (await get(`/api/v1/groups?id=${id}`)) as {
    readonly groups: readonly { readonly name: string }[];
  };
  return groups[0]?.name ?? null;
}
