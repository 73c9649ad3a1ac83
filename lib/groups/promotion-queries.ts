import "server-only";
import { requireDatabase } from "@/lib/db/connection/connect";
import { findHeads } from "@/lib/db/heads";
import { findPromotedNames } from "@/lib/groups/console-queries";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { buildPromotionItems, type PromotionItem } from "@/lib/groups/promotion-rules";
import { findPrompts, loadGroupRecords } from "@/lib/groups/queries";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { byLowerCase } from "@/lib/words/order";
import { selectPromotable } from "@/lib/records/views";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";

/**
 * Says what a promotion would do and what it needs first, by name.
 *
 * @param ids undefined: everything that is not in production. Ids with nothing to publish are left out
 * @throws DatabaseUnavailable
 */
export async function listPromotion(ids: readonly number[] | undefined): Promise<{
  readonly items: readonly PromotionItem[];
  /** Custom vehicle data that is not in production: it is promoted as a whole. */
  readonly vehicleData: readonly StagedVehicleData[];
}> {
  await requireDatabase();
  const newest = (await findHeads("groups", "staging")).map(({ id }) => id);
  const staged = await FunctionalGroupModel.find({ _id: { $in: newest }, status: "STAGING" }, { _id: 1 }).lean();
  const stagedIds = staged.map(({ _id }) => _id);
  const records = selectPromotable(ids ?? stagedIds, await loadGroupRecords(stagedIds));
  const categories = records.flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const [staging, production, sources, vehicleData, promoted] = await Promise.all([
    findPrompts(categories, "staging"),
    findPrompts(categories, "production"),
    loadParameterSources(),
    findStagedVehicleData(),
    findPromotedNames(records.map(({ name }) => name)),
  ]);
  const prompts = { staging, production };
  const items = buildPromotionItems(records, {
    prompts,
    isUsable: usableParameters(sources),
    stagedVehicleData: new Map(vehicleData.flatMap(({ name, id, isDeleted }) => (isDeleted ? [] : [[name, id]]))),
    promoted,
  });
  return { items: items.sort((a, b) => byLowerCase(a.name, b.name)), vehicleData };
}

interface StagedVehicleData {
  readonly id: number;
  readonly name: string;
  readonly isDeleted: boolean;
}

async function findStagedVehicleData(): Promise<StagedVehicleData[]> {
  const newest = (await findHeads("vehicleData", "staging")).map(({ id }) => id);
  const staged = await CustomVehicleDataModel.find(
    { _id: { $in: newest }, status: "STAGING" },
    { name: 1, isDeleted: 1 },
  ).lean();
  return staged
    .map(({ _id, name, isDeleted }) => ({ id: _id, name, isDeleted }))
    .sort((a, b) => byLowerCase(a.name, b.name));
}
