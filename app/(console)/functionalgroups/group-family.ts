import { readGroup } from "@/app/(console)/functionalgroups/group-api";
import { type FormSource, type GroupForm, toBody, toForm } from "@/app/(console)/functionalgroups/group-form";
import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import { get } from "@/lib/platform/http/client";

export const groupFamily: RecordFamily<GroupForm> = {
  ...recordKinds.groups,
  api: "/api/v1/groups",
  draftPrefix: "group",
  nameOf: ({ name }) => name.trim(),
  toBody,
  fromCurrent: (current) => toForm(current as FormSource),
  read: async (name) => {
    const group = await readGroup(name);
    return { id: group.id, form: toForm(group), isDeleted: group.is_deleted };
  },
  find: async (address) => {
    const name = await findName(address);
    return name !== null && (await hasBody(name)) ? { id: 0, name } : null;
  },
};

export async function findRemovedName(address: GroupAddress): Promise<string | null> {
  const name = await findName(address);
  return name !== null && !(await hasBody(name)) && (await hasBody(name, "&gone=true")) ? name : null;
}

type GroupAddress = Parameters<typeof groupFamily.find>[0];

/** The name of the group that an address is about, there or not. */
async function findName({ id, name }: GroupAddress): Promise<string | null> {
  if (id === null) return name;
  const { groups } = (await get(`/api/v1/groups?id=${id}`)) as { groups: readonly { readonly name: string }[] };
  return groups[0]?.name ?? null;
}

async function hasBody(name: string, more = ""): Promise<boolean> {
  const path = `/api/v1/ui/groups/body?name=${encodeURIComponent(name)}${more}`;
  return ((await get(path)) as { group: object | null }).group !== null;
}
