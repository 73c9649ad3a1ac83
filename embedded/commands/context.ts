import { DatabaseError } from "../errors";
import type { CursorStore } from "../cursors";
import type { SessionStore } from "../sessions";
import type { Collection } from "../storage/collection";
import type { Engine } from "../storage/engine";
import { Blocked, type Transaction } from "../storage/transaction";
import { toNumber, type Doc } from "../values/values";

export interface CommandContext {
  readonly engine: Engine;
  readonly cursors: CursorStore;
  readonly sessions: SessionStore;
  readonly address: string;
  readonly connectionId: number;
  readonly name: string;
  readonly command: Doc;
  readonly database: string;
  readonly sessionKey: string | null;
  readonly transaction: Transaction | null;
}

export type Reply = Record<string, unknown>;

export interface Command {
  /** Allowed fields besides its name and the common ones; others are refused. Null: any. */
  readonly fields: readonly string[] | null;
  readonly inTransaction?: boolean;
  /** Only reads: runs again if the data turns out not to be on disk. */
  readonly reads?: boolean;
  /** Writes: refused while the disk accepts no writes. */
  readonly writes?: boolean;
  readonly run: (context: CommandContext) => Reply | Promise<Reply>;
}

export function collectionName({ command, name }: CommandContext): string {
  const value = command[name];
  if (typeof value === "string" && value !== "") return value;
  throw new DatabaseError(73, `collection name of ${name} has invalid type or is empty`);
}

export function findCollection(context: CommandContext, name = collectionName(context)): Collection | null {
  return context.engine.collections.get(`${context.database}.${name}`) ?? null;
}

export function requireFields(options: Doc, name: string, allowed: readonly string[]): void {
  for (const field of Object.keys(options)) {
    if (!allowed.includes(field)) {
      throw new DatabaseError(40415, `BSON field '${name}.${field}' is an unknown field.`);
    }
  }
}

export const optionalNumber = (value: unknown): number | undefined =>
  value === undefined ? undefined : toNumber(value);

/** Runs a synchronous step. Outside of transactions, runs it again when those that hold its documents have ended. */
export async function whenFree<T>(engine: Engine, step: () => T): Promise<T> {
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      await Promise.all([engine.commit(), error.transaction.ended]);
    }
  }
}
