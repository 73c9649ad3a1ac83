"one per process";

import type { ClientSession } from "mongoose";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { RevisionModel } from "@/models/database/revision";

/** The revision is one document, so that concurrent transactions that raise it conflict and none is lost. */
const revisionId = "policy";

export type RevisionListener = (revision: number) => void;

const listeners = new Set<RevisionListener>();

/** Reads the latest committed revision, 0 in an empty database. */
export async function readRevision(session?: ClientSession): Promise<number> {
  try {
    const options = session === undefined ? { readConcern: { level: "majority" } as const } : { session };
    const found = await RevisionModel.collection.findOne({ _id: { $eq: revisionId } } as object, options);
    return typeof found?.value === "number" ? found.value : 0;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** Raises the revision by one, as a transaction's last write. Conflicts with every other transaction that does so. */
export async function raiseRevision(session: ClientSession, now: Date): Promise<void> {
  await RevisionModel.updateOne(
    { _id: revisionId },
    { $inc: { value: 1 }, $set: { updatedAt: now } },
    { session, upsert: true },
  );
}

/** Calls the listener after every commit of this process that raised the revision. Returns a function that removes it. */
export function onRevision(listener: RevisionListener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function announceRevision(revision: number): void {
  for (const listener of listeners) {
    try {
      listener(revision);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}
