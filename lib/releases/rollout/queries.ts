import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { findRollout, requestOf, stepOf } from "@/lib/records/publishing/rollout";
import type { RolloutJson } from "@/lib/releases/answer-schema";
import { toAuthorJson } from "@/lib/releases/queries";
import { type BrakeFigure, brakeFigures, rolloutActs } from "@/lib/vocabulary/rollouts";
import { namesOf } from "@/lib/vocabulary/members";
import type { RolloutRecord } from "@/models/rollout";

/** The rollout that is running or paused; null if there is none. Throws DatabaseUnavailable. */
export async function loadRollout(): Promise<RolloutJson | null> {
  await requireDatabase();
  const found = await findRollout();
  return found && toRolloutJson(found);
}

export function toRolloutJson(record: RolloutRecord): RolloutJson {
  const { percent } = stepOf(record);
  const nextAt = nextStepAt(record);
  return {
    number: record._id,
    ...{ state: record.state, release: record.release, before: record.before, ...requestOf(record) },
    ...{ step: record.step, percent, step_since: record.stepSince.toISOString() },
    next_at: record.state === "running" ? (nextAt?.toISOString() ?? null) : null,
    paused_at: record.pausedAt?.toISOString() ?? null,
    paused_because: record.pausedBecause ?? null,
    brake: readBrake(record),
    author: toAuthorJson(record.author),
    started_at: record.startedAt.toISOString(),
    ended_at: record.endedAt?.toISOString() ?? null,
    history: Array.from(record.history, ({ act, at, percent: share, by, because }) => ({
      act: rolloutActs.find((one) => one === act) ?? "step",
      ...{ at: at.toISOString(), percent: share, by: by ? toAuthorJson(by) : null, because: because ?? null },
    })),
  };
}

/** When the step ends; null: when somebody goes on. */
export function nextStepAt(record: Pick<RolloutRecord, "steps" | "step" | "stepSince">): Date | null {
  const { hours } = stepOf(record);
  return hours === null ? null : new Date(record.stepSince.getTime() + hours * 3_600_000);
}

function readBrake({ brake }: RolloutRecord): BrakeFigure | null {
  return namesOf(brakeFigures).find((one) => one === brake) ?? null;
}
