import semver from "semver";
import { z } from "zod";

const answerSchema = z.object({ version: z.string().refine((text) => semver.valid(text) !== null) });

/** The check may take this long in all; what asks for it waits a shorter time (`api.md` 2.4). */
const deadlineMs = 5_000;
const patienceMs = 1_000;
const keepMs = 3_600_000;
const largestAnswer = 65_536;

interface Checked {
  readonly url: string;
  readonly at: number;
  readonly version: Promise<string | null>;
}

let last: Checked | null = null;

/**
 * Finds the newest version at `url`, a JSON document with a member `version`. Asks at most once an hour, failures
 * included; never fails, and waits at most a second: a slow answer shows up next time.
 *
 * @returns a semantic version, or null when none is known
 */
export async function findLatestVersion(url: string, now = Date.now()): Promise<string | null> {
  if (last?.url !== url || now - last.at >= keepMs) last = { url, at: now, version: fetchVersion(url) };
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null);
  });
  const version = await Promise.race([last.version, patience]);
  clearTimeout(timer);
  return version;
}

async function fetchVersion(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(deadlineMs), cache: "no-store" });
    if (!response.ok || response.body === null) return null;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > largestAnswer) return null;
      chunks.push(chunk);
    }
    return answerSchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8"))).version;
  } catch {
    return null;
  }
}
