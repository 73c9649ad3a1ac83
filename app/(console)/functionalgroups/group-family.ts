import { type FormSource, type GroupForm, toBody, toForm } from "./group-form";
import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import { get, ApiError } from "@/lib/platform/http/client";
import type { GroupBody } from "@/lib/records/groups/wire";

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

async function findName({ id, name }: GroupAddress): Promise<string | null> {
  if (id === null) return name;
  const { groups } = (await get(`/api/v1/groups?id=${id}`)) as { groups: readonly { readonly name: string }[] };
  return groups[0]?.name ?? null;
}

async function hasBody(name: string, more = ""): Promise<boolean> {
  const path = `/api/v1/ui/groups/body?name=${encodeURIComponent(name)}${more}`;
  return ((await get(path)) as { group: object | null }).group !== null;
}

/** `isGone` also finds a group whose deletion is in production. @throws ApiError when it is gone */
export async function readGroup(name: string, isGone = false): Promise<GroupBody> {
  const path = `/api/v1/ui/groups/body?name=${encodeURIComponent(name)}${isGone ? "&gone=true" : ""}`;
  const { group } = (await get(path)) as { group: GroupBody | null };
  if (group === null) throw new ApiError(`The group ${name} no longer exists`, 404, null, null);
  return group;
}

export function buildChange(group: GroupBody, change: (form: GroupForm) => GroupForm, isDeleted = group.is_deleted) {
  return toBody(change(toForm(group)), group.id, isDeleted);
}
