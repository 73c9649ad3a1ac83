import type { PromptViews } from "@/lib/groups/console-rows";
import type { GroupRecord } from "@/lib/groups/rules";
import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { distinct } from "@/lib/words/order";

/** Something that must be in production before a group can go there. */
export interface Prerequisite {
  readonly kind: "message" | "vehicle_data";
  /** Category of the message, name of the item. */
  readonly name: string;
  /** The staging record to promote first; null when there is none. */
  readonly id: number | null;
}

/** One group that could be promoted. */
export interface PromotionItem {
  readonly id: number;
  readonly name: string;
  readonly change: "new" | "changed" | "deleted";
  /** Empty: it can be promoted by itself. */
  readonly missing: readonly Prerequisite[];
  /** Its prompt, when drivers will keep seeing an older wording than the one in staging. */
  readonly olderWording: string | null;
  /** Every app gets it. */
  readonly isDefault: boolean;
  /** It stays, and nothing can be called through it. */
  readonly isEmpty: boolean;
  /** The record that production has now; null when it has none. */
  readonly productionId: number | null;
}

export interface PromotionContext {
  readonly prompts: PromptViews;
  readonly isUsable: IsUsableParameter;
  /** Ids of the items of custom vehicle data in staging that are not in production, by name. */
  readonly stagedVehicleData: ReadonlyMap<string, number>;
  /** Ids of the records that production has now, by name. */
  readonly promoted: ReadonlyMap<string, number>;
}

/** What a promotion of staged groups needs and does; deletions need nothing. */
export function buildPromotionItems(records: readonly GroupRecord[], context: PromotionContext): PromotionItem[] {
  return records.map((record) => ({
    id: record.id,
    name: record.name,
    change: record.isDeleted ? "deleted" : context.promoted.has(record.name) ? "changed" : "new",
    missing: record.isDeleted ? [] : [...missingPrompt(record, context), ...missingVehicleData(record, context)],
    olderWording: record.isDeleted ? null : findOlderWording(record, context),
    isDefault: record.isDefault,
    isEmpty: !record.isDeleted && !record.rpcs.some(({ levels }) => levels.length > 0),
    productionId: context.promoted.get(record.name) ?? null,
  }));
}

function missingPrompt({ userConsentPrompt: category }: GroupRecord, { prompts }: PromotionContext): Prerequisite[] {
  if (category === null || prompts.production.has(category)) return [];
  return [{ kind: "message", name: category, id: prompts.staging.get(category)?.id ?? null }];
}

function missingVehicleData(record: GroupRecord, { isUsable, stagedVehicleData }: PromotionContext): Prerequisite[] {
  return listLostParameters(record, isUsable).map((name) => ({
    kind: "vehicle_data",
    name,
    id: stagedVehicleData.get(name) ?? null,
  }));
}

/** Parameters that count in staging only (rule F5): production would leave them out without a word. */
export function listLostParameters({ rpcs }: Pick<GroupRecord, "rpcs">, isUsable: IsUsableParameter): string[] {
  const lost = rpcs.flatMap(({ name, parameters }) =>
    parameters.filter(
      (key) => isUsable({ status: "STAGING" }, name, key) && !isUsable({ status: "PRODUCTION" }, name, key),
    ),
  );
  return distinct(lost);
}

function findOlderWording({ userConsentPrompt: category }: GroupRecord, { prompts }: PromotionContext): string | null {
  if (category === null || !prompts.production.has(category)) return null;
  return prompts.staging.get(category)?.status === "STAGING" ? category : null;
}
