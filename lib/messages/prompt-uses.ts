import "server-only";
import { type ClientSession } from "mongoose";
import { findHeads } from "@/lib/db/heads";
import { type Environment } from "@/lib/words/vocabulary";
import { type PromptUse } from "@/lib/messages/overview";
import { byLowerCase } from "@/lib/words/order";
import { FunctionalGroupModel } from "@/models/functional-group";

/**
 * Lists which functional groups ask with which messages, in staging and in production, by the names of the groups.
 *
 * @param category only those that ask with this message
 */
export async function listPromptUses(category?: string): Promise<PromptUse[]> {
  const [staging, production] = await Promise.all([findHeads("groups", "staging"), findHeads("groups", "production")]);
  const ids = new Set([...staging, ...production].map(({ id }) => id));
  const groups = await FunctionalGroupModel.find(
    { _id: { $in: [...ids] }, userConsentPrompt: category ?? { $ne: null } },
    { name: 1, status: 1, isDeleted: 1, userConsentPrompt: 1 },
  ).lean();
  const [isStaging, isProduction] = [staging, production].map((heads) => new Set(heads.map(({ id }) => id)));
  const uses = new Map<string, PromptUse>();
  for (const { _id, name, status, isDeleted, userConsentPrompt: prompt } of groups) {
    if (isDeleted || !prompt) continue;
    const key = JSON.stringify([prompt, name]);
    const use = uses.get(key) ?? { category: prompt, name, stagingId: null, productionId: null, isWaiting: false };
    uses.set(key, {
      ...use,
      ...(isStaging?.has(_id) ? { stagingId: _id, isWaiting: status === "STAGING" } : {}),
      ...(isProduction?.has(_id) ? { productionId: _id } : {}),
    });
  }
  return [...uses.values()].sort((one, other) => byLowerCase(one.name, other.name));
}

/**
 * Finds the functional groups of a view, without deleted ones, that ask with one of these messages; by name.
 *
 * @param session reads inside that transaction
 */
export async function findAskingGroups(
  categories: readonly string[],
  environment: Environment,
  session?: ClientSession,
): Promise<{ readonly name: string; readonly userConsentPrompt: string }[]> {
  const heads = await findHeads("groups", environment, session ? { session } : {});
  const groups = await FunctionalGroupModel.find(
    { _id: { $in: heads.map(({ id }) => id) }, isDeleted: false, userConsentPrompt: { $in: [...categories] } },
    { name: 1, userConsentPrompt: 1 },
  )
    .session(session ?? null)
    .lean();
  return groups
    .map(({ name, userConsentPrompt }) => ({ name, userConsentPrompt: userConsentPrompt ?? "" }))
    .sort((one, other) => byLowerCase(one.name, other.name));
}
