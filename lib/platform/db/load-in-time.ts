import { databaseState } from "@/lib/platform/db/connection/connect";
import { within } from "@/lib/platform/async";

/** A slow database must not delay the answer about everything else; milliseconds. */
const timeoutMs = 2_000;

/** Reads from the database for an answer that is worth giving without it: null while it is away, slow or fails. */
export async function loadInTime<T>(load: () => Promise<T>, ms = timeoutMs): Promise<T | null> {
  if (databaseState().status !== "connected") return null;
  const loading = load().catch(() => null);
  return within(ms, loading, () => null);
}
