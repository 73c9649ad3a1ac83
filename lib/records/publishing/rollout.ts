import { randomBytes } from "node:crypto";
import type { ClientSession } from "mongoose";
import { findHeadsAsOf } from "@/lib/platform/db/heads";
import type { Author, Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { withoutNull } from "@/lib/vocabulary/members";
import {
  type BrakeFigure,
  describeSteps,
  isForAll,
  type RolloutAct,
  type RolloutFilter,
  rolloutFilters,
  type RolloutRequest,
  type RolloutStep,
} from "@/lib/vocabulary/rollouts";
import { ReleaseModel } from "@/models/release";
import { aliveSlot, RolloutModel, type RolloutRecord } from "@/models/rollout";

/** The rollout that is running or paused; null if there is none. */
export async function findRollout(session: ClientSession | null = null): Promise<RolloutRecord | null> {
  return RolloutModel.findOne({ slot: aliveSlot }).session(session).lean();
}

interface StoredRequest extends Partial<Record<RolloutFilter, Iterable<string> | null | undefined>> {
  readonly steps?: Iterable<Pick<RolloutStep, "percent"> & { readonly hours?: number | null }> | null | undefined;
}

/** How it was asked for, as plain members. */
export function requestOf({ steps, countries, software, hardware }: StoredRequest) {
  return {
    steps: Array.from(steps ?? [], ({ percent, hours }) => ({ percent, hours: hours ?? null })),
    ...{ countries: [...(countries ?? [])], software: [...(software ?? [])], hardware: [...(hardware ?? [])] },
  };
}

export const stepOf = (record: StoredRequest & Pick<RolloutRecord, "step">): RolloutStep =>
  requestOf(record).steps[record.step] ?? { percent: 100, hours: null };

/** Throws AppError 409 with `data.rollout` while a rollout is alive (`fleet.md` S11); it must abort the transaction. */
export async function requireNoRollout({ session, writer }: Transaction): Promise<void> {
  const found = await findRollout(session);
  // First data of a newer version must not wait for people.
  if (found === null || writer.actor === "setup") return;
  const { _id: number, release, state } = found;
  const { percent } = stepOf(found);
  const sentence = `Release ${release} is being rolled out (${percent} %, ${state}): finish the rollout or call it off first`;
  throw new AppError("conflict", sentence, { data: { rollout: { number, release, state, percent } } });
}

/**
 * Stores the rollout of a release that the transaction publishes. Throws AppError 409 if vehicles had no table before,
 * and so nothing to keep.
 */
export async function startRollout(tx: Transaction, release: number, request: RolloutRequest): Promise<void> {
  const { session, now } = tx;
  const [earlier] = await ReleaseModel.find({ _id: { $lt: release } }, { _id: 1 })
    .sort({ _id: -1 })
    .limit(1)
    .session(session)
    .lean();
  const before = earlier?._id ?? 0;
  if ((await findHeadsAsOf("module_config", before, { session })).length === 0) {
    const sentence = "Production has no module config yet: there is no policy table that the other cars could keep";
    throw new AppError("conflict", sentence);
  }
  const _id = await tx.nextId("rollouts");
  const author = authorOf(tx);
  const [first] = request.steps;
  const made = {
    ...{ _id, slot: aliveSlot, state: "running" as const, release, before, step: 0, stepSince: now, startedAt: now },
    ...{ ...requestOf(request), author, salt: randomBytes(16).toString("hex"), history: [] },
  };
  await RolloutModel.insertMany([made], { session });
  const stored = await requireStored(_id, session);
  const filters = Object.fromEntries(
    rolloutFilters.flatMap((name) => (made[name].length > 0 ? [[name, made[name]]] : [])),
  );
  await changeRollout(tx, stored, {
    act: "start",
    at: now,
    told: { before, steps: describeSteps(made.steps), ...filters },
  });
  if (first && isForAll(made, first))
    await endRollout(tx, await requireStored(_id, session), { act: "finish", at: now });
}

const actions: Readonly<Record<RolloutAct, string>> = {
  start: "rollouts.start",
  step: "rollouts.step",
  pause: "rollouts.pause",
  brake: "rollouts.brake",
  resume: "rollouts.resume",
  finish: "rollouts.finish",
  cancel: "rollouts.cancel",
};

export interface RolloutChange {
  readonly act: RolloutAct;
  /** When, by the clock that judged it. */
  readonly at: Date;
  readonly because?: string | null;
  readonly brake?: BrakeFigure | null;
  readonly set?: Partial<Omit<RolloutRecord, "_id" | "history">>;
  /** Further facts for the audit trail. */
  readonly told?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Changes a stored rollout, with its history and audit event. Every change raises the revision, and all follow it. */
export async function changeRollout(
  tx: Transaction,
  found: RolloutRecord,
  { act, at, because = null, brake = null, set = {}, told = {} }: RolloutChange,
): Promise<RolloutRecord> {
  const { percent } = stepOf({ ...found, ...set });
  const by = tx.writer.role === undefined && !tx.writer.approval && act !== "start" ? null : authorOf(tx);
  const happened = { act, at, percent, by, because };
  await RolloutModel.updateOne(
    { _id: found._id },
    { $set: { ...set, history: [...found.history, happened] } },
    { session: tx.session },
  );
  tx.record({
    action: actions[act],
    target: `rollout:${found.release}`,
    after: {
      share: `${percent} %`,
      ...told,
      ...withoutNull({ reason: because, figure: brake }),
    },
  });
  return requireStored(found._id, tx.session);
}

/** Ends a rollout: all vehicles get what production has. */
export function endRollout(
  tx: Transaction,
  found: RolloutRecord,
  change: Pick<RolloutChange, "at" | "because"> & { readonly act: "finish" | "cancel" },
): Promise<RolloutRecord> {
  const state = change.act === "finish" ? "finished" : "cancelled";
  const last = change.act === "finish" ? { step: requestOf(found).steps.length - 1 } : {};
  const over = { slot: String(found._id), state, endedAt: change.at, pausedAt: null, watch: null } as const;
  return changeRollout(tx, found, { ...change, set: { ...over, ...last } });
}

/** A rollback replaces what is rolled out, and so ends it (`fleet.md` S11). */
export async function endByReturn(tx: Transaction): Promise<void> {
  const found = await findRollout(tx.session);
  if (found !== null) await endRollout(tx, found, { act: "cancel", at: tx.now });
}

function authorOf({ writer }: Transaction): Author {
  const { actor, displayName = null, isNameVerified = false } = writer;
  return writer.approval?.askedBy ?? { actor, displayName, isNameVerified };
}

async function requireStored(_id: number, session: ClientSession): Promise<RolloutRecord> {
  const stored = await RolloutModel.findById(_id).session(session).lean();
  if (stored === null) throw new Error(`rollout ${_id} is not there`);
  return stored;
}
