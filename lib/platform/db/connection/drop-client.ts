import type { MongoClient } from "mongodb";
import mongoose from "mongoose";
import { within } from "@/lib/platform/async";

const closeMs = 2_000;

/** Detaches the client from Mongoose without waiting for its sockets. Returns it for closing; null: none yet. */
export async function detachClient(): Promise<MongoClient | null> {
  const { connection } = mongoose;
  const client = (connection.getClient() as MongoClient | undefined) ?? null;
  // Events of the old client must not change the state of the new one.
  client?.removeAllListeners();
  // Not with `force`: Mongoose would then refuse all models.
  await connection.close({ skipCloseClient: true } as unknown as boolean).catch(() => undefined);
  return client;
}

export async function dropClient(): Promise<void> {
  const client = await detachClient();
  if (client !== null) await closeClient(client);
}

/** Closes a client. If it hangs on dead sockets, destroys them. Never rejects. */
export async function closeClient(client: MongoClient): Promise<void> {
  const { topology } = client as unknown as { readonly topology?: { close(): void } };
  const closing = client.close(true).then(
    () => false,
    () => true,
  );
  const isLate = await within(closeMs, closing, () => true);
  if (isLate) topology?.close();
}
