import { setTimeout } from "node:timers/promises";
import { databaseState } from "@/lib/db/connection/connect";

/** A slow database must not delay the answer about everything else; milliseconds. */
const patienceMs = 2_000;

/** Reads from the database for an answer that is worth giving without it: null while it is away, slow or fails. */
export async function loadInTime<T>(load: () => Promise<T>, ms = patienceMs): Promise<T | null> {
  if (databaseState().status !== "connected") return null;
  const patience = new AbortController();
  const late = setTimeout(ms, null, { signal: patience.signal }).catch(() => null);
  const loaded = await Promise.race([load().catch(() => null), late]);
  patience.abort();
  return loaded;
}
