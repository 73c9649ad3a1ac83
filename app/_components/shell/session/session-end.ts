"use client";
import { getQuietly, post } from "@/lib/platform/http/client";

const path = "/api/v1/ui/session";

/** Asks when the session ends as things are, in milliseconds since 1970; null when that cannot be learned. */
export function findSessionEnd(): Promise<number | null> {
  return getQuietly(path).then(readEnd, () => null);
}

/** Tells the server that somebody is there. Gives when the session ends now; null when there is none any more. */
export function keepSession(): Promise<number | null> {
  return post(path).then(readEnd, () => null);
}

function readEnd(data: unknown): number | null {
  if (typeof data !== "object" || data === null || !("ends_ts" in data)) return null;
  const end = typeof data.ends_ts === "string" ? Date.parse(data.ends_ts) : NaN;
  return Number.isNaN(end) ? null : end;
}
