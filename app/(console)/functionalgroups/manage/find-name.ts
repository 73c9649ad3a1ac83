import { get } from "@/lib/http/client";

/** The name of the group that a record belongs to; null: there is no such record. */
export async function findNameOf(id: string): Promise<string | null> {
  if (!/^\d{1,15}$/.test(id)) return null;
  const { groups } = (await get(`/api/v1/groups?id=${id}`)) as {
    readonly groups: readonly { readonly name: string }[];
  };
  return groups[0]?.name ?? null;
}
