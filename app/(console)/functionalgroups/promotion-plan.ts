import { registrationRpc } from "@/lib/words/vocabulary";
import { plural } from "@/lib/words/format-number";
import type { EffectAnswer, PromotionAnswer } from "@/lib/groups/answer-schema";

export type PromotionItem = PromotionAnswer["items"][number];
export type Prerequisite = PromotionItem["missing"][number];
/** Vehicle data that is not in production; it can only be promoted as a whole. */
export type WaitingVehicleData = PromotionAnswer["vehicle_data"][number];

/** What would be promoted now, in the order it has to be done. */
export interface PromotionPlan {
  /** Ids of staging records, as those of the groups. */
  readonly messages: readonly number[];
  readonly vehicleData: readonly WaitingVehicleData[];
  readonly groups: readonly number[];
  /** Groups that have to wait for something. */
  readonly blocked: readonly PromotionItem[];
  readonly deletions: number;
  /** The first of the groups of every app that is removed or emptied. */
  readonly lostDefault: string | null;
}

export const prerequisiteKey = ({ kind, name }: Prerequisite) => `${kind}:${name}`;

/** What stands between the groups and production, each once. */
export function listPrerequisites(items: readonly PromotionItem[]): Prerequisite[] {
  const all = items.flatMap(({ missing }) => missing);
  return [...new Map(all.map((one) => [prerequisiteKey(one), one])).values()];
}

/**
 * Sorts what can be promoted from what has to wait.
 *
 * @param included keys of the prerequisites to be promoted before the groups
 */
export function buildPlan(
  { items, vehicle_data: waiting }: PromotionAnswer,
  included: ReadonlySet<string>,
): PromotionPlan {
  const isMet = (one: Prerequisite) => one.id !== null && included.has(prerequisiteKey(one));
  const ready = items.filter(({ missing }) => missing.every(isMet));
  const needed = listPrerequisites(ready);
  const vehicleData = needed.some(({ kind }) => kind === "vehicle_data") ? waiting : [];
  return {
    messages: needed.flatMap(({ kind, id }) => (kind === "message" && id !== null ? [id] : [])),
    vehicleData,
    groups: ready.map(({ id }) => id),
    blocked: items.filter((item) => !ready.includes(item)),
    deletions:
      ready.filter(({ change }) => change === "deleted").length +
      vehicleData.filter(({ is_deleted: isDeleted }) => isDeleted).length,
    lostDefault: ready.find((item) => item.is_default && (item.change === "deleted" || item.is_empty))?.name ?? null,
  };
}

/** "1 message and 2 groups" */
export function describePlan({ messages, vehicleData, groups }: PromotionPlan): string {
  const parts = [
    messages.length > 0 ? plural(messages.length, "message") : null,
    vehicleData.length > 0 ? plural(vehicleData.length, "item of vehicle data", "items of vehicle data") : null,
    plural(groups.length, "group"),
  ].filter((part) => part !== null);
  return parts.length === 1 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}

const asksFrom = 10;

/**
 * What must be typed; null: nothing. What every app loses is named; the word `production` is enough where something else
 * is removed, or where it is much at once.
 */
export function findTypedWord(plan: PromotionPlan, effect: EffectAnswer | null): string | null {
  const { deletions, messages, vehicleData, groups, lostDefault } = plan;
  const lost = lostDefault ?? (effect === null ? null : findLostDefault(effect));
  if (lost !== null) return lost;
  const isMuch = messages.length + vehicleData.length + groups.length > asksFrom;
  return deletions > 0 || isMuch ? "production" : null;
}

/** The group that every app loses, or without which no app can register; null: there is none. */
export function findLostDefault({ effects, is_registration_lost: isLost }: EffectAnswer): string | null {
  const defaults = effects.filter(({ is_default: isDefault }) => isDefault);
  const registering = defaults.find(({ rpcs }) =>
    rpcs.some(({ kind, name }) => kind === "lost" && name === registrationRpc),
  );
  return (defaults.find(({ kind }) => kind === "lost") ?? (isLost ? registering : undefined))?.group ?? null;
}
