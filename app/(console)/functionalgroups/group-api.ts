import { type GroupForm, toBody, toForm } from "@/app/(console)/functionalgroups/group-form";
import type { GroupBody } from "@/lib/content/groups/answer-schema";
import { ApiError, get } from "@/lib/platform/http/client";

/**
 * The newest version of a group in staging, as it is stored.
 *
 * @param isGone also one whose deletion is in production, with what it held before
 * @throws ApiError when it is gone
 */
export async function readGroup(name: string, isGone = false): Promise<GroupBody> {
  const path = `/api/v1/ui/groups/body?name=${encodeURIComponent(name)}${isGone ? "&gone=true" : ""}`;
  const { group } = (await get(path)) as { group: GroupBody | null };
  if (group === null) throw new ApiError(`The group ${name} no longer exists`, 404, null, null);
  return group;
}

/** The body that stores a changed version of a group; refused when somebody stores another one meanwhile. */
export function buildChange(group: GroupBody, change: (form: GroupForm) => GroupForm, isDeleted = group.is_deleted) {
  return toBody(change(toForm(group)), group.id, isDeleted);
}
