import "server-only";
import type { ApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { allVehicles } from "@/lib/fleet/dimensions";
import type { GroupFigures } from "@/lib/fleet/figures/answer-schema";
import { type AppSteps, loadAppSteps } from "@/lib/fleet/figures/apps";
import { loadGroups } from "@/lib/fleet/figures/groups";
import { buildRecentScope } from "@/lib/fleet/figures/scope";

export const shownDays = 30;

export interface AppFiguresOfPage {
  readonly figures: AppSteps;
  /** Of the groups that the app has and drivers are asked about. */
  readonly consents: GroupFigures["groups"];
}

/** The last 30 days of an app in production (`fleet.md` S9). @throws DatabaseUnavailable */
export async function loadAppFigures({ app, granted }: ApplicationDetail, now: number): Promise<AppFiguresOfPage> {
  const what = { environment: "production", cell: allVehicles, step: "day" } as const;
  const scope = buildRecentScope(what, shownDays, now);
  const [figures, { groups }] = await Promise.all([loadAppSteps(app.uuid, scope), loadGroups(scope)]);
  const asked = new Set(
    granted.filter((group) => group.user_consent_prompt !== null).map((group) => group.property_name),
  );
  return { figures, consents: groups.filter(({ name }) => asked.has(name)) };
}
