import { Binary } from "bson";
import { DatabaseError, noSuchTransaction } from "./errors";
import { type Engine } from "./storage/engine";
import { type Transaction } from "./storage/transaction";
import { isDoc, toNumber, type Doc } from "./values/values";

const transactionMilliseconds = 60 * 1000;
const sessionMilliseconds = 30 * 60 * 1000;

interface Session {
  readonly key: string;
  lastUsed: number;
  /** The number of the last transaction, and what became of it. */
  number: number;
  state: "none" | "open" | "committed" | "aborted";
  transaction: Transaction | null;
  startedAt: number;
}

export function sessionKeyOf(lsid: unknown): string | null {
  if (!isDoc(lsid) || !(lsid.id instanceof Binary)) return null;
  return Buffer.from(lsid.id.buffer).toString("hex");
}

/** Logical sessions and the one transaction each may have open. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly engine: Engine) {}

  touch(key: string): void {
    this.#session(key).lastUsed = Date.now();
  }

  #session(key: string): Session {
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = { key, lastUsed: Date.now(), number: -1, state: "none", transaction: null, startedAt: 0 };
      this.#sessions.set(key, session);
    }
    return session;
  }

  /** The transaction a command with `autocommit: false` belongs to; begins it when the command says so. */
  transactionFor(command: Doc, key: string | null): Transaction {
    const number = toNumber(command.txnNumber);
    if (key === null || Number.isNaN(number))
      throw new DatabaseError(72, "Transaction commands need lsid and txnNumber");
    const session = this.#session(key);
    if (command.startTransaction === true) return this.#begin(session, number);
    this.#requireCurrent(session, number);
    if (session.state === "committed") {
      throw new DatabaseError(256, `Transaction ${number} has been committed.`);
    }
    if (session.transaction === null) throw noSuchTransaction(`Transaction ${number} has been aborted.`);
    return session.transaction;
  }

  #begin(session: Session, number: number): Transaction {
    if (session.number > number) throw new DatabaseError(225, `txnNumber ${number} is too old`);
    if (session.number === number) {
      throw new DatabaseError(117, `Transaction ${number} of this session has begun already.`);
    }
    this.#end(session, "aborted");
    session.transaction = this.engine.begin();
    session.number = number;
    session.state = "open";
    session.startedAt = Date.now();
    return session.transaction;
  }

  #requireCurrent(session: Session, number: number): void {
    if (session.number === number && session.state !== "none") return;
    throw noSuchTransaction(
      `Given transaction number ${number} does not match any in-progress transactions. ` +
        `The active transaction number is ${session.number}`,
    );
  }

  async commit(key: string, number: number): Promise<void> {
    const session = this.#session(key);
    this.#requireCurrent(session, number);
    if (session.state === "committed") {
      await this.engine.settled(); // a repeated commit: its first frame may still be on its way to the disk
      return;
    }
    const { transaction } = session;
    if (transaction === null) throw noSuchTransaction(`Transaction ${number} has been aborted.`);
    session.transaction = null;
    session.state = "committed";
    this.engine.apply(transaction);
    await this.engine.commit();
  }

  abort(key: string, number: number): void {
    const session = this.#session(key);
    this.#requireCurrent(session, number);
    if (session.state === "committed") {
      throw new DatabaseError(256, `Transaction ${number} has been committed.`);
    }
    if (session.transaction === null) throw noSuchTransaction(`Transaction ${number} has been aborted.`);
    this.#end(session, "aborted");
  }

  /** Any error ends the transaction it happened in. */
  abortOpen(key: string): void {
    const session = this.#sessions.get(key);
    if (session) this.#end(session, "aborted");
  }

  endSession(key: string): void {
    this.abortOpen(key);
    this.#sessions.delete(key);
  }

  #end(session: Session, state: "aborted"): void {
    if (session.transaction === null) return;
    this.engine.abort(session.transaction);
    session.transaction = null;
    session.state = state;
  }

  /** Transactions of clients that went away must not hold documents for ever. */
  dropExpired(now: number): void {
    for (const session of this.#sessions.values()) {
      if (session.transaction && now - session.startedAt > transactionMilliseconds) this.#end(session, "aborted");
      if (!session.transaction && now - session.lastUsed > sessionMilliseconds) this.#sessions.delete(session.key);
    }
  }
}
