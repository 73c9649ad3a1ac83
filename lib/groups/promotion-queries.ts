import "server-only";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { buildPromotionItems, type PromotionItem } from "@/lib/groups/promotion-rules";
import { findPrompts, loadGroupRecords } from "@/lib/groups/queries";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { byLowerCase } from "@/lib/words/order";
import { findLiving, findStates, type RecordMark } from "@/lib/records/queries";
import { selectPromotable } from "@/lib/records/views";

/**
 * Says what a promotion would do and what it needs first, by name.
 *
 * @param ids undefined: everything that is not in production. Ids with nothing to publish are left out
 * @throws DatabaseUnavailable
 */
export async function listPromotion(ids: readonly number[] | undefined): Promise<{
  readonly items: readonly PromotionItem[];
  /** Custom vehicle data that is not in production: it is promoted as a whole. */
  readonly vehicleData: readonly RecordMark[];
}> {
  const stagedIds = (await findStaged("groups")).map(({ id }) => id);
  const records = selectPromotable(ids ?? stagedIds, await loadGroupRecords(stagedIds));
  const categories = records.flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const [staging, production, sources, vehicleData, promoted] = await Promise.all([
    findPrompts(categories, "staging"),
    findPrompts(categories, "production"),
    loadParameterSources(),
    findStaged("vehicleData"),
    findLiving("groups", "production", { keys: records.map(({ name }) => name) }),
  ]);
  const prompts = { staging, production };
  const items = buildPromotionItems(records, {
    prompts,
    isUsable: usableParameters(sources),
    stagedVehicleData: new Map(vehicleData.flatMap(({ key, id, isDeleted }) => (isDeleted ? [] : [[key, id]]))),
    promoted,
  });
  return { items: items.sort((a, b) => byLowerCase(a.name, b.name)), vehicleData };
}

/** The records that are not in production, by their keys. */
async function findStaged(family: "groups" | "vehicleData"): Promise<RecordMark[]> {
  const states = await findStates(family, "staging");
  return states.filter(({ status }) => status === "STAGING").sort((a, b) => byLowerCase(a.key, b.key));
}
