"one per process";

import { WriteConcern } from "mongodb";
import type { ClientSession } from "mongoose";
import { type AuditEntry, buildEvents, type EventWriter } from "@/lib/platform/db/audit";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { noteHead } from "@/lib/platform/db/audit-head";
import { appendEvents, reportHead } from "@/lib/platform/db/audit-trail";
import { allotIds, type CounterName } from "@/lib/platform/db/counters";
import { DatabaseUnavailable, toDatabaseError } from "@/lib/platform/db/connection/errors";
import { requireHeldLocks } from "@/lib/platform/db/held-locks";
import { runReachable } from "@/lib/platform/db/connection/reachable";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { announceRevision, raiseRevision, readRevision } from "@/lib/platform/db/revision";
import { beginAttempts } from "@/lib/platform/db/writers";
import type { Role } from "@/lib/vocabulary/roles";
import { type ProductionWrite, watchWrites } from "@/models/written";

export interface WriteContext extends EventWriter {
  /** The caller's role; undefined: one of the server's own tasks, which need no permission. */
  readonly role?: Role | null;
  /** Who requested and who approves the change. Undefined: no approval needed. */
  readonly approval?: Approval;
  /** A change that needs a second person may become a request for approval, with its own event. */
  readonly canAsk?: true;
  /** Stores what an earlier version left behind, without a gate. Tests only. */
  readonly isFixture?: true;
}

export interface Approval {
  readonly askedBy: Author;
  readonly approvedBy: Author;
  readonly digest: { readonly sum: string; readonly parts: readonly string[] };
}

/** Checks every transaction that changes what production is compiled from, before the commit (`gate.md` W1, W3). */
export interface Gate<State = unknown> {
  look(transaction: Transaction): Promise<State>;
  pass(transaction: Transaction, writes: readonly ProductionWrite[], state: State): Promise<void>;
  /** The audit event for an error that `pass` threw (`gate.md` W12); null: none needed. */
  tell(error: unknown, writer: WriteContext): AuditEntry | null;
}

let guarding: Gate | null = null;

/** Sets the gate of this process. Without one, nothing reaches production. */
export function putUpGate<State>(gate: Gate<State>): void {
  guarding = gate;
}

export interface Author {
  readonly actor: string;
  readonly displayName: string | null;
  readonly isNameVerified: boolean;
}

export interface Transaction {
  readonly writer: WriteContext;
  /** Pass it in the options of every read and write of the transaction. */
  readonly session: ClientSession;
  readonly revision: number;
  readonly now: Date;
  nextIds(counter: CounterName, count: number): Promise<readonly number[]>;
  nextId(counter: CounterName): Promise<number>;
  record(entry: AuditEntry): void;
  /** For writes that affect no policy table. A needless rise costs a build, a missing one leaves vehicles outdated. */
  keepRevision(): void;
}

const writers = {
  isBusy: false,
  callers: [] as (() => void)[],
  tasks: [] as (() => void)[],
  overtaking: 0,
};
const maxWaiting = 100;
/** So many callers go before a task that waits longer. */
const maxOvertaking = 4;

export function countWaitingWriters(): number {
  return writers.callers.length + writers.tasks.length;
}

async function takeTurn({ role }: WriteContext): Promise<void> {
  if (!writers.isBusy) writers.isBusy = true;
  else await new Promise<void>((resolve) => (role === undefined ? writers.tasks : writers.callers).push(resolve));
}

function endTurn(): void {
  const isTaskDue = writers.tasks.length > 0 && writers.overtaking >= maxOvertaking;
  const caller = isTaskDue ? undefined : writers.callers.shift();
  writers.overtaking = caller === undefined ? 0 : writers.overtaking + 1;
  const next = caller ?? writers.tasks.shift();
  if (next === undefined) writers.isBusy = false;
  else next();
}

/**
 * Runs `work` in one transaction: all writes become visible with the next revision, or none does. `work` may run again,
 * so it must change nothing outside the database. A process runs one transaction at a time, those of callers before its
 * own. Throws DatabaseUnavailable, also if 100 are waiting (`processes.md` N4) or this is not the expected database
 * (N15a); LockLost; whatever `work` throws, with nothing stored.
 */
export async function inTransaction<T>(
  context: WriteContext,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  // Without a database, fail before queueing: the queue may itself be waiting for the database.
  await requireDatabase();
  requireExpectedDatabase();
  if (countWaitingWriters() >= maxWaiting) {
    const sentence = "Too many changes wait for the database; try again soon";
    throw new DatabaseUnavailable(sentence, { sentence });
  }
  await takeTurn(context);
  try {
    return await runTransaction(context, work);
  } finally {
    endTurn();
  }
}

async function runTransaction<T>(context: WriteContext, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  await requireDatabase();
  const refused: { entry: AuditEntry | null } = { entry: null };
  const attempts = beginAttempts();
  try {
    const { value, written } = await runReachable(
      async (session) => {
        await attempts.begin(session);
        await requireHeldLocks(session);
        const writer = await beginWriting(context, session, (error) => {
          refused.entry = requireGate().tell(error, context);
        });
        const result = await work(writer.transaction);
        return { value: result, written: await writer.finish() };
      },
      { readConcern: { level: "snapshot" }, writeConcern: new WriteConcern("majority") },
    );
    if (written.raisedTo !== null) announceRevision(written.raisedTo);
    if (written.end !== null) {
      noteHead(written.end.last, written.end.head);
      reportHead(written.end.head, written.isRelease);
    }
    return value;
  } catch (error) {
    if (refused.entry !== null) await recordRefusal(context, refused.entry);
    throw toDatabaseError(error);
  } finally {
    attempts.end();
  }
}

/** In the turn of the refused transaction, whose own events were rolled back. */
async function recordRefusal(context: WriteContext, entry: AuditEntry): Promise<void> {
  await runTransaction(context, async (tx) => {
    tx.keepRevision();
    tx.record(entry);
    return Promise.resolve();
  });
}

async function beginWriting(context: WriteContext, session: ClientSession, onRefusal: (error: unknown) => void) {
  const revision = (await readRevision(session)) + 1;
  const now = new Date();
  const entries: AuditEntry[] = [];
  const writes: ProductionWrite[] = [];
  let look: Promise<unknown> | null = null;
  let raises = true;
  const nextIds = (counter: CounterName, count: number) => allotIds(session, counter, count);
  const transaction: Transaction = {
    writer: context,
    session,
    revision,
    now,
    nextIds,
    nextId: async (counter) => firstOf(await nextIds(counter, 1)),
    record: (entry) => {
      entries.push(entry);
    },
    keepRevision: () => {
      raises = false;
    },
  };
  // The driver may retry with the same session; earlier writes are rolled back then.
  watchWrites(session, async (write) => {
    if (context.isFixture) return;
    writes.push(write);
    await (look ??= requireGate().look(transaction));
  });
  const finish = async () => {
    if (writes.length > 0) {
      if (!raises) throw new Error("What production is made from was written without a new revision");
      const state = await look;
      await requireGate()
        .pass(transaction, writes, state)
        .catch((error: unknown) => {
          onRefusal(error);
          throw error;
        });
    }
    const end = entries.length > 0 ? await appendEvents(session, buildEvents(transaction, entries)) : null;
    const isRelease = writes.some(({ kind }) => kind === "records");
    if (raises) await raiseRevision(session, now);
    return { raisedTo: raises ? revision : null, end, isRelease };
  };
  return { transaction, finish };
}

function requireGate(): Gate {
  if (guarding === null) throw new Error("Nothing guards production here: no gate was put up");
  return guarding;
}

function firstOf(ids: readonly number[]): number {
  const [id] = ids;
  if (id === undefined) throw new Error("No id was allotted.");
  return id;
}
