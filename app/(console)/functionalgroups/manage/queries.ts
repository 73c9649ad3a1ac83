import "server-only";
import { loadPart } from "@/app/_console/load-part";
import { allVehicles } from "@/lib/fleet/dimensions";
import type { GroupFigures } from "@/lib/fleet/figures/answer-schema";
import { loadGroups } from "@/lib/fleet/figures/groups";
import { buildRecentScope } from "@/lib/fleet/figures/scope";

export const consentDays = 30;

export type GroupConsent = GroupFigures["groups"][number] & {
  /** The share of the requests that was read. */
  readonly sample: number | null;
};

/** What drivers answered about a group, in production. Null: nothing was reported, or it cannot be read. */
export async function loadConsents(name: string, now: number): Promise<GroupConsent | null> {
  const scope = buildRecentScope({ environment: "production", cell: allVehicles, step: "day" }, consentDays, now);
  const part = await loadPart("consents of a group", () => loadGroups(scope));
  if (!("value" in part)) return null;
  const group = part.value.groups.find((one) => one.name === name);
  return group === undefined ? null : { ...group, sample: part.value.share };
}
