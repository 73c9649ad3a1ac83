import { Binary } from "bson";
import { DatabaseError, noSuchTransaction } from "./errors";
import type { Engine } from "./storage/engine";
import type { Transaction } from "./storage/transaction";
import { isDoc, toNumber, type Doc } from "./values/values";

const transactionMilliseconds = 60 * 1000;
const sessionMilliseconds = 30 * 60 * 1000;

interface Session {
  lastUsed: number;
  number: number;
  state: Transaction | "committed" | "aborted";
  startedAt: number;
  connectionId: number;
}

export function sessionKeyOf(lsid: unknown): string | null {
  if (!isDoc(lsid) || !(lsid.id instanceof Binary)) return null;
  return Buffer.from(lsid.id.buffer).toString("hex");
}

export class SessionStore {
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly engine: Engine) {}

  touch(key: string, connectionId: number): void {
    Object.assign(this.#session(key), { lastUsed: Date.now(), connectionId });
  }

  #session(key: string): Session {
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = { lastUsed: Date.now(), number: -1, state: "aborted", startedAt: 0, connectionId: 0 };
      this.#sessions.set(key, session);
    }
    return session;
  }

  transactionFor(command: Doc, key: string | null): Transaction {
    const number = toNumber(command.txnNumber);
    if (key === null || Number.isNaN(number))
      throw new DatabaseError(72, "Transaction commands need lsid and txnNumber");
    const session = this.#session(key);
    if (command.startTransaction === true) return this.#begin(session, number);
    return requireOpen(session, number);
  }

  #begin(session: Session, number: number): Transaction {
    if (session.number > number) throw new DatabaseError(225, `txnNumber ${number} is too old`);
    if (session.number === number) {
      throw new DatabaseError(117, `Transaction ${number} of this session has begun already.`);
    }
    this.#abort(session);
    const transaction = this.engine.begin();
    Object.assign(session, { number, state: transaction, startedAt: Date.now() });
    return transaction;
  }

  async commit(key: string, number: number): Promise<void> {
    const session = this.#session(key);
    if (session.number === number && session.state === "committed") {
      await this.engine.commit(); // a repeated commit: the first one may not be on disk yet
      return;
    }
    const transaction = requireOpen(session, number);
    this.engine.apply(transaction);
    session.state = "committed";
    try {
      await this.engine.commit();
    } catch (error) {
      // The commit was undone, so a repeated commit must not report success.
      if (session.number === number) session.state = "aborted";
      if (transaction.isReading) throw noSuchTransaction(`Transaction ${number} has read what did not last.`);
      throw error;
    }
  }

  abort(key: string, number: number): void {
    const session = this.#session(key);
    requireOpen(session, number);
    this.#abort(session);
  }

  abortOpen(key: string): void {
    const session = this.#sessions.get(key);
    if (session) this.#abort(session);
  }

  endSession(key: string): void {
    this.abortOpen(key);
    this.#sessions.delete(key);
  }

  /** A killed client must not lock documents. Of several connections of a transaction, the last one counts. */
  abortOfConnection(connectionId: number): void {
    for (const session of this.#sessions.values()) if (session.connectionId === connectionId) this.#abort(session);
  }

  #abort(session: Session): void {
    if (typeof session.state === "string") return;
    this.engine.abort(session.state);
    session.state = "aborted";
  }

  /** Transactions of hanging clients must not lock documents forever. */
  dropExpired(now: number): void {
    for (const [key, session] of this.#sessions) {
      if (now - session.startedAt > transactionMilliseconds) this.#abort(session);
      const isIdle = typeof session.state === "string" && now - session.lastUsed > sessionMilliseconds;
      if (isIdle) this.#sessions.delete(key);
    }
  }
}

function requireOpen(session: Session, number: number): Transaction {
  if (session.number !== number) {
    throw noSuchTransaction(`Transaction ${number} is not in progress; that of the session is ${session.number}`);
  }
  if (session.state === "committed") throw new DatabaseError(256, `Transaction ${number} has been committed.`);
  if (session.state === "aborted" || session.state.isOver) {
    throw noSuchTransaction(`Transaction ${number} has been aborted.`);
  }
  return session.state;
}
