import type { MongoClient } from "mongodb";
import mongoose from "mongoose";
import { within } from "@/lib/platform/async";

/** A client says good-bye to the server, at most as long as this many milliseconds. */
const closeMs = 2_000;

/** Takes the client away from Mongoose without waiting for its sockets; gives it to be closed, null: none yet. */
export async function detachClient(): Promise<MongoClient | null> {
  const { connection } = mongoose;
  const client = (connection.getClient() as MongoClient | undefined) ?? null;
  // What the old client finds out later must not change the state of the new one.
  client?.removeAllListeners();
  // Not "by force": Mongoose would refuse the models ever after.
  await connection.close({ skipCloseClient: true } as unknown as boolean).catch(() => undefined);
  return client;
}

/** Detaches the client and closes it, at most 2 s long. Never rejects. */
export async function dropClient(): Promise<void> {
  const client = await detachClient();
  if (client !== null) await closeClient(client);
}

/** Closes a client; one that hangs, since its sockets are dead, loses them. Never rejects. */
export async function closeClient(client: MongoClient): Promise<void> {
  const { topology } = client as unknown as { readonly topology?: { close(): void } };
  const closing = client.close(true).then(
    () => false,
    () => true,
  );
  const isLate = await within(closeMs, closing, () => true);
  if (isLate) topology?.close();
}
