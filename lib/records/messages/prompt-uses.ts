import "server-only";
import type { ClientSession } from "mongoose";
import { findHeadIds } from "@/lib/platform/db/heads";
import type { Environment } from "@/lib/vocabulary/terms";
import type { PromptUse } from "@/lib/records/messages/overview";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { VersionedRecord } from "@/lib/records/store/views";
import { FunctionalGroupModel } from "@/models/functional-group";

interface AskingGroup extends VersionedRecord {
  readonly name: string;
  readonly userConsentPrompt: string;
}

/** Loads the groups of a view whose prompt is a message (one of `categories`), with deleted ones, by name. */
export async function loadGroupsWithPrompt(
  environment: Environment,
  {
    categories,
    session,
  }: { readonly categories?: readonly string[]; readonly session?: ClientSession | undefined } = {},
): Promise<AskingGroup[]> {
  const ids = await findHeadIds("group", environment, session);
  const groups = await FunctionalGroupModel.find(
    { _id: { $in: ids }, userConsentPrompt: categories === undefined ? { $ne: null } : { $in: [...categories] } },
    { name: 1, status: 1, isDeleted: 1, userConsentPrompt: 1 },
  )
    .session(session ?? null)
    .lean();
  return groups
    .map(({ _id, userConsentPrompt, ...group }) => ({ ...group, id: _id, userConsentPrompt: userConsentPrompt ?? "" }))
    .sort((one, other) => byLowerCase(one.name, other.name));
}

export async function listPromptUses(category?: string): Promise<PromptUse[]> {
  const options = category === undefined ? {} : { categories: [category] };
  const [staging, production] = await Promise.all([
    loadGroupsWithPrompt("staging", options),
    loadGroupsWithPrompt("production", options),
  ]);
  const uses = new Map<string, PromptUse>();
  const add = (groups: readonly AskingGroup[], place: (group: AskingGroup) => Partial<PromptUse>) => {
    for (const group of groups.filter(({ isDeleted, userConsentPrompt }) => !isDeleted && userConsentPrompt !== "")) {
      const { userConsentPrompt: asked, name } = group;
      const key = JSON.stringify([asked, name]);
      const use = uses.get(key) ?? { category: asked, name, stagingId: null, productionId: null, isWaiting: false };
      uses.set(key, { ...use, ...place(group) });
    }
  };
  add(staging, ({ id, status }) => ({ stagingId: id, isWaiting: status === "STAGING" }));
  add(production, ({ id }) => ({ productionId: id }));
  return [...uses.values()].sort((one, other) => byLowerCase(one.name, other.name));
}
