import "server-only";
import { z } from "zod";
import { brakeOf, describeBrake, sinceCounts, usualThreshold } from "@/lib/fleet/rollout/brake";
import { loadSideCounts } from "@/lib/fleet/rollout/side-counts";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { findFreeze, isFrozen } from "@/lib/records/publishing/freeze";
import { changeRollout, findRollout } from "@/lib/records/publishing/rollout";
import { takeStep } from "@/lib/releases/rollout/commands";
import { nextStepAt } from "@/lib/releases/rollout/queries";
import { RolloutModel, type RolloutRecord } from "@/models/rollout";

const figures = z.object({ requests: z.number(), rejected: z.number(), removed: z.number(), repeats: z.number() });
const sideCounts = z.object({ in: figures, out: figures });

const clock: WriteContext = { actor: "schedule", route: "rollout", requestId: null };

/** Counts of parts of the vehicles are kept for eight days, so a watch must not be longer, in milliseconds. */
const longestWatchMs = 7 * 86_400_000;

/**
 * Begins the next step of the rollout if its time has come (`fleet.md` S13): one step at a time, once, even with several
 * instances. A pause, a freeze and a clock that was set back hold it. Returns whether it did. Throws DatabaseUnavailable.
 */
export async function advanceDue(now: Date): Promise<boolean> {
  const seen = await inDatabase(() => findRollout());
  if (seen === null || !needsTouch(seen, now)) return false;
  return inTransaction(clock, async (tx) => {
    const found = await findRollout(tx.session);
    if (found !== null && isAhead(found, now)) return setBack(tx, found, now);
    if (found === null || !isDue(found, now) || isFrozen(await findFreeze(tx.session), now)) {
      tx.keepRevision();
      return false;
    }
    await takeStep(tx, found, now);
    return true;
  });
}

const needsTouch = (found: RolloutRecord, now: Date) => isDue(found, now) || isAhead(found, now);

function isDue(found: RolloutRecord, now: Date): boolean {
  const next = nextStepAt(found);
  return found.state === "running" && next !== null && next <= now;
}

/** How much the clocks of instances may differ, in milliseconds. */
const clockToleranceMs = 60_000;
const isAhead = ({ state, stepSince }: RolloutRecord, now: Date) =>
  state === "running" && stepSince.getTime() > now.getTime() + clockToleranceMs;

/** The step began by a clock that was wrong, and would last until that time comes: it begins now. */
async function setBack(tx: Transaction, found: RolloutRecord, now: Date): Promise<false> {
  tx.keepRevision();
  await RolloutModel.updateOne({ _id: found._id }, { $set: { stepSince: now } }, { session: tx.session });
  return false;
}

/**
 * Compares what was counted on both sides since the step began, and pauses the rollout if a figure is too high inside
 * (`fleet.md` S13). Returns whether it did. Throws DatabaseUnavailable.
 */
export async function brakeIfNeeded(now: Date, threshold = usualThreshold): Promise<boolean> {
  const seen = await inDatabase(() => findRollout());
  if (seen?.state !== "running") return false;
  const earlier = sideCounts.safeParse(seen.watch?.counts).data;
  const since = seen.watch?.since;
  if (earlier === undefined || since === undefined || now.getTime() - since.getTime() > longestWatchMs) {
    const watch = { since: now, counts: await loadSideCounts(now, now) };
    await changeIfSame(seen, (tx) => {
      tx.keepRevision();
      return RolloutModel.updateOne({ _id: seen._id }, { $set: { watch } }, { session: tx.session });
    });
    return false;
  }
  const braked = brakeOf(sinceCounts(await loadSideCounts(since, now), earlier), threshold);
  if (braked === null) return false;
  const because = describeBrake(braked);
  return changeIfSame(seen, (tx, found) => {
    const { figure: brake } = braked;
    const set = { state: "paused", pausedAt: now, pausedBecause: because, brake } as const;
    return changeRollout(tx, found, { act: "brake", at: now, because, brake, set });
  });
}

/** Only while the rollout is in the same step and state as when it was looked at. */
function changeIfSame(
  seen: RolloutRecord,
  change: (tx: Transaction, found: RolloutRecord) => Promise<unknown>,
): Promise<boolean> {
  return inTransaction(clock, async (tx) => {
    const found = await findRollout(tx.session);
    const isSame =
      found?._id === seen._id &&
      found.state === seen.state &&
      found.step === seen.step &&
      found.history.length === seen.history.length;
    if (isSame) await change(tx, found);
    else tx.keepRevision();
    return isSame;
  });
}
