import "server-only";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import type { DecisionEffects, EffectJson } from "@/lib/apps/applications/console/effect-schema";
import {
  type DecidedState,
  decidedState,
  environmentOf,
  foresee,
  offeredDecisions,
  type Situation,
} from "@/lib/apps/applications/decisions";
import { loadEntryVersions } from "@/lib/apps/applications/entry-versions";
import type { VersionOutline } from "@/lib/apps/applications/versions";
import { createPacer } from "@/lib/platform/process/pacer";
import { loadSettings } from "@/lib/platform/settings";
import { describeArea } from "@/lib/policy/effect/rights-by-area";
import { type VersionEffect, versionEffect } from "@/lib/policy/effect/version-effect";
import { policySnapshot } from "@/lib/policy/status";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";

export interface EffectSubject {
  readonly situation: Situation;
  readonly isAdministratorApp: boolean;
  readonly priority: SnapshotApp["priority"];
  readonly next: DecidedState;
}

/** What decisions change in cars (rule L30); null where no entry can be made, and while no policy is in service. */
export async function loadEffects(subjects: readonly EffectSubject[]): Promise<readonly (VersionEffect | null)[]> {
  const snapshot = policySnapshot();
  if (snapshot === null) return subjects.map(() => null);
  const looked = subjects.map((subject) => {
    const environment = environmentOf(subject.situation, subject.next);
    const { before, after } = foresee(subject.situation, subject.next);
    return { ...subject, environment, before: before[environment], after: after[environment] };
  });
  const ids = looked.flatMap(({ before, after }) => [before, after].flatMap((version) => version?.id ?? []));
  const versions = new Map((await loadEntryVersions(distinct(ids))).map((version) => [version.id, version]));
  const builds = chosenBuilds(loadSettings());
  const pace = createPacer();
  const effects: (VersionEffect | null)[] = [];
  for (const { situation, isAdministratorApp, priority, next, environment, before, after } of looked) {
    const stateOf = (outline: VersionOutline | null, isBlocked: boolean) => {
      const version = outline === null ? null : versions.get(outline.id);
      return version === undefined ? null : { isBlocked, isAdministratorApp, priority, version };
    };
    const [was, is] = [stateOf(before, situation.isBlocked), stateOf(after, next.isBlocked)];
    effects.push(was && is && versionEffect(snapshot, environment, was, is, builds));
    await pace();
  }
  return effects;
}

export async function loadDecisionEffects(
  situation: Situation,
  app: Pick<ApplicationJson, "approval_status" | "is_administrator_app" | "priority">,
): Promise<DecisionEffects> {
  const subjects = offeredDecisions(situation.isBlocked ? "BLOCKED" : app.approval_status).map((decision) => {
    const flags = { isAdministratorApp: app.is_administrator_app, priority: app.priority };
    return { decision, situation, next: decidedState(decision), ...flags };
  });
  const effects = await loadEffects(subjects);
  return Object.fromEntries(
    subjects.flatMap(({ decision, next }, at) => {
      const effect = effects[at];
      return effect ? [[decision, { environment: environmentOf(situation, next), effect: toEffectJson(effect) }]] : [];
    }),
  );
}

export function toEffectJson({ areas, rejected, asked, groupsGained, groupsLost }: VersionEffect): EffectJson {
  return {
    areas: areas.map((one) => ({
      area: one.area,
      kind: one.kind,
      text: describeArea(one),
      short: describeArea(one, 1),
    })),
    rejected: [...rejected],
    asked: [...asked],
    groups_gained: [...groupsGained],
    groups_lost: [...groupsLost],
  };
}
