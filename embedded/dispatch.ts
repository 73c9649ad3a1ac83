import { Binary, Long, Timestamp } from "bson";
import { requireFields, type Command, type CommandContext, type Reply } from "./commands/context";
import { readCommands } from "./commands/reads";
import { sessionCommands } from "./commands/session-commands";
import { structureCommands } from "./commands/structure";
import { writeCommands } from "./commands/writes";
import { CursorStore } from "./cursors";
import { badValue, DatabaseError } from "./errors";
import { sessionKeyOf, SessionStore } from "./sessions";
import type { Engine } from "./storage/engine";
import type { Transaction } from "./storage/transaction";
import { isDoc, toNumber, type Doc } from "./values/values";

const commands = new Map<string, Command>(
  Object.entries({ ...sessionCommands, ...readCommands, ...writeCommands, ...structureCommands }),
);

const commonFields = [
  "$db",
  "$readPreference",
  "$clusterTime",
  "autocommit",
  "comment",
  "lsid",
  "maxTimeMS",
  "readConcern",
  "startTransaction",
  "txnNumber",
  "writeConcern",
];

const unsigned = { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO };

function requireWriteConcern(concern: unknown): void {
  if (concern !== undefined && !isDoc(concern)) throw badValue("writeConcern must be a document");
  const { w = 1 } = concern ?? {};
  if (w !== "majority" && !(toNumber(w) <= 1)) throw new DatabaseError(100, "Not enough data-bearing nodes");
}

/** The latest state satisfies all levels except "snapshot" outside of transactions, which needs an earlier one. */
function requireReadConcern(concern: unknown, isInTransaction: boolean): void {
  if (concern === undefined) return;
  if (!isDoc(concern)) throw badValue("readConcern must be a document");
  requireFields(concern, "readConcern", ["level", "afterClusterTime", "provenance"]);
  const { level = "local" } = concern;
  const others = isInTransaction ? ["snapshot"] : ["available", "linearizable"];
  if (!["local", "majority", ...others].includes(String(level))) {
    const place = isInTransaction ? "in" : "outside of";
    throw new DatabaseError(72, `readConcern level '${String(level)}' is not supported ${place} a transaction`);
  }
}

/** Retryable writes are not implemented: a repeated write would be applied twice. */
function requireNoRetry({ txnNumber, autocommit }: Doc): void {
  if (txnNumber === undefined || autocommit === false) return;
  throw new DatabaseError(20, "Transaction numbers are only allowed on a replica set member or mongos");
}

export class Dispatcher {
  readonly cursors = new CursorStore();
  readonly sessions: SessionStore;
  #clock = { t: 0, i: 0 };

  constructor(
    private readonly engine: Engine,
    private readonly address: string,
    private readonly report: (line: string) => void,
  ) {
    this.sessions = new SessionStore(engine);
  }

  async run(command: Doc, connectionId: number): Promise<Reply> {
    const sessionKey = sessionKeyOf(command.lsid);
    const isInTransaction = command.autocommit === false;
    const name = Object.keys(command)[0] ?? "";
    try {
      const reply = await this.#execute(name, command, connectionId, sessionKey);
      if (isInTransaction && reply.writeErrors !== undefined && sessionKey !== null)
        this.sessions.abortOpen(sessionKey);
      return this.#stamp({ ok: 1, ...reply });
    } catch (error) {
      const failure = error instanceof DatabaseError ? error : this.#internalError(name, error);
      // 117: a transaction number was reused, which must not abort the open transaction.
      if (isInTransaction && sessionKey !== null && failure.code !== 117) this.sessions.abortOpen(sessionKey);
      return this.describeFailure(failure, isInTransaction ? failure.labels : []);
    }
  }

  describeFailure({ code, codeName, message, details }: DatabaseError, labels: readonly string[] = []): Reply {
    const errorLabels = labels.length > 0 ? { errorLabels: labels } : {};
    return this.#stamp({ ok: 0, errmsg: message, code, codeName, ...details, ...errorLabels });
  }

  async #execute(name: string, command: Doc, connectionId: number, sessionKey: string | null): Promise<Reply> {
    const found = commands.get(name);
    if (found === undefined) throw new DatabaseError(59, `no such command: '${name}'`);
    if (typeof command.$db !== "string") throw badValue("a command needs $db, the name of its database");
    if (found.fields) requireFields(command, name, [name, ...found.fields, ...commonFields]);
    requireWriteConcern(command.writeConcern);
    requireReadConcern(command.readConcern, command.autocommit === false);
    requireNoRetry(command);
    if (sessionKey !== null) this.sessions.touch(sessionKey, connectionId);
    const context: CommandContext = {
      engine: this.engine,
      cursors: this.cursors,
      sessions: this.sessions,
      address: this.address,
      connectionId,
      name,
      command,
      database: command.$db,
      sessionKey,
      transaction: this.#transactionFor(name, found, command, sessionKey),
    };
    if (found.writes) await this.engine.requireWritable();
    return found.reads && context.transaction === null ? this.#read(found, context) : found.run(context);
  }

  /** No reply shows a write that is not on disk, because it may still fail. A transaction's commit waits for that. */
  async #read(found: Command, context: CommandContext): Promise<Reply> {
    for (;;) {
      const reply = await found.run(context);
      if (await this.engine.isKept()) return reply;
    }
  }

  #transactionFor(name: string, found: Command, command: Doc, sessionKey: string | null): Transaction | null {
    if (command.autocommit !== false || name === "commitTransaction" || name === "abortTransaction") return null;
    const transaction = this.sessions.transactionFor(command, sessionKey);
    if (found.inTransaction) return transaction;
    throw new DatabaseError(263, `Cannot run '${name}' in a multi-document transaction.`);
  }

  #internalError(name: string, error: unknown): DatabaseError {
    const message = error instanceof Error ? error.message : String(error);
    this.report(`${name} failed: ${error instanceof Error ? (error.stack ?? message) : message}`);
    return new DatabaseError(1, message);
  }

  /** Drivers pass the cluster time between sessions, as a replica set requires. */
  #stamp(reply: Reply): Reply {
    const seconds = Math.floor(Date.now() / 1000);
    this.#clock = seconds > this.#clock.t ? { t: seconds, i: 1 } : { t: this.#clock.t, i: this.#clock.i + 1 };
    const now = new Timestamp(this.#clock);
    return { ...reply, operationTime: now, $clusterTime: { clusterTime: now, signature: unsigned } };
  }

  dropExpired(): void {
    const now = Date.now();
    this.cursors.dropIdle(now);
    this.sessions.dropExpired(now);
  }
}
