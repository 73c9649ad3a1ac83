import semver from "semver";
import { z } from "zod";
import { within } from "@/lib/platform/async";
import { fetchOutgoing, readLimited } from "@/lib/platform/http/outgoing-fetch";

const answerSchema = z.object({
  version: z.string().refine((text) => semver.valid(text) !== null),
  url: z.unknown().optional(),
  homepage: z.unknown().optional(),
});

export interface Release {
  readonly version: string;
  /** http or https. */
  readonly page: string;
}

/** Its callers wait for a shorter time (`api.md` 2.4). */
const deadlineMs = 5_000;
const timeoutMs = 1_000;
const keepMs = 3_600_000;
const largestAnswer = 65_536;

interface Checked {
  readonly url: string;
  readonly at: number;
  readonly release: Promise<Release | null>;
}

let last: Checked | null = null;

/** Fetched once an hour; null: unknown. Never throws, and waits at most a second. */
export async function findLatestRelease(url: string, now = Date.now()): Promise<Release | null> {
  if (last?.url !== url || now - last.at >= keepMs) last = { url, at: now, release: fetchRelease(url) };
  return within(timeoutMs, last.release, () => null);
}

async function fetchRelease(url: string): Promise<Release | null> {
  try {
    const response = await fetchOutgoing(url, { signal: AbortSignal.timeout(deadlineMs), cache: "no-store" });
    if (!response.ok) return null;
    const answer = answerSchema.parse(JSON.parse(await readLimited(response, largestAnswer)));
    const page = readPage(answer.url) ?? readPage(answer.homepage) ?? withoutSecrets(url);
    return { version: answer.version, page };
  } catch {
    return null;
  }
}

/** The document comes from a third party: only http and https may be linked; null: none. */
function readPage(text: unknown): string | null {
  if (typeof text !== "string" || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

/** Other parts of the setting's address may be secret. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
