import "server-only";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { requireNoFreeze } from "@/lib/records/publishing/freeze";
import { propose } from "@/lib/records/publishing/record-release";
import { changeRollout, endRollout, findRollout, requestOf } from "@/lib/records/publishing/rollout";
import type { RolloutJson } from "@/lib/releases/answer-schema";
import { isAsOfRelease, returnToRelease } from "@/lib/releases/publish/return-to-release";
import { toRolloutJson } from "@/lib/releases/rollout/queries";
import { isForAll } from "@/lib/vocabulary/rollouts";
import { RolloutModel, type RolloutRecord } from "@/models/rollout";

/** What people do to a rollout (`fleet.md` S13). */
export const rolloutCommands = { pause, resume, advance, finish, cancel };

/**
 * Changes the rollout that is alive. Throws AppError 409 if there is none, if it is in the wrong state, and in a freeze
 * for what gives the release to more vehicles.
 */
export async function commandRollout(
  command: keyof typeof rolloutCommands,
  writer: WriteContext,
): Promise<RolloutJson> {
  return inTransaction(writer, async (tx) => {
    const found = await findRollout(tx.session);
    if (found === null) throw new AppError("conflict", "No release is being rolled out");
    return toRolloutJson(await rolloutCommands[command](tx, found));
  });
}

function pause(tx: Transaction, found: RolloutRecord): Promise<RolloutRecord> {
  requireState(found, "running");
  const set = { state: "paused", pausedAt: tx.now, pausedBecause: null, brake: null } as const;
  return changeRollout(tx, found, { act: "pause", at: tx.now, set });
}

async function resume(tx: Transaction, found: RolloutRecord): Promise<RolloutRecord> {
  requireState(found, "paused");
  await requireNoFreeze(tx);
  const paused = Math.max(0, tx.now.getTime() - (found.pausedAt ?? tx.now).getTime());
  const stepSince = new Date(found.stepSince.getTime() + paused);
  // What was counted until now is no reason to stop it again.
  const set = { state: "running", pausedAt: null, pausedBecause: null, brake: null, watch: null, stepSince } as const;
  return changeRollout(tx, found, { act: "resume", at: tx.now, set });
}

async function advance(tx: Transaction, found: RolloutRecord): Promise<RolloutRecord> {
  requireState(found, "running");
  await requireNoFreeze(tx);
  return takeStep(tx, found, tx.now);
}

async function finish(tx: Transaction, found: RolloutRecord): Promise<RolloutRecord> {
  await requireNoFreeze(tx);
  return endRollout(tx, found, { act: "finish", at: tx.now });
}

/** Brings back what the other vehicles have had all along, so nothing has to be reviewed or approved. */
async function cancel(tx: Transaction, found: RolloutRecord): Promise<RolloutRecord> {
  const { _id, before, release } = found;
  if (await isAsOfRelease(tx, before)) return endRollout(tx, found, { act: "cancel", at: tx.now });
  propose(tx, { release: "return", isCallOff: true });
  const reason = `The rollout of release ${release} was called off`;
  await returnToRelease(tx, before, { name: null, note: reason, force: true, reason }, ({ checks }) =>
    Promise.resolve(checks.filter(({ level }) => level === "finding")),
  );
  const ended = await RolloutModel.findById(_id).session(tx.session).lean();
  if (ended === null) throw new Error(`rollout ${_id} is not there`);
  return ended;
}

/** Begins the next step. After the last one, and with one that is for all vehicles, the rollout is over. */
export async function takeStep(tx: Transaction, found: RolloutRecord, at: Date): Promise<RolloutRecord> {
  const step = found.step + 1;
  const request = requestOf(found);
  const next = request.steps[step];
  if (next === undefined || isForAll(request, next)) {
    return endRollout(tx, found, { act: "finish", at });
  }
  return changeRollout(tx, found, { act: "step", at, set: { step, stepSince: at, watch: null } });
}

function requireState(found: RolloutRecord, state: RolloutRecord["state"]): void {
  if (found.state === state) return;
  const sentence = found.state === "paused" ? "The rollout is paused" : "The rollout is not paused";
  throw new AppError("conflict", sentence);
}
