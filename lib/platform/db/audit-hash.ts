import { createHmac, timingSafeEqual } from "node:crypto";

/** The hash itself, and what the database library adds of its own. */
const unhashed: readonly string[] = ["hash", "__v"];

/**
 * HMAC-SHA-256 of a stored audit event, over all members but its own hash (`gate.md` W11). Members are sorted: a
 * database may return them in another order. The key is never in the database.
 */
export function hashEvent(event: Readonly<Record<string, unknown>>, key: string): string {
  const rest = Object.entries(event).filter(([name]) => !unhashed.includes(name));
  return hmac(key, canonical(Object.fromEntries(rest)));
}

/** Where the audit trail begins and ends. */
export interface TrailEnds {
  /** Id of the first event that retention has left; of the next one while there is none. */
  readonly first: number;
  /** Id of the last event that was ever written. */
  readonly last: number;
  /** Its hash; null: there was none yet. */
  readonly head: string | null;
  /** The first event at whose writing the ends were not those that the server had written; null: always. */
  readonly brokenAt: number | null;
}

/** What shows that the server has written the ends of the trail: their HMAC-SHA-256. */
export function sealEnds({ first, last, head, brokenAt }: TrailEnds, key: string): string {
  return hmac(key, JSON.stringify(["ends", first, last, head, brokenAt]));
}

/** Whether a seal is that of these ends. */
export function isSealed(ends: TrailEnds, seal: string, key: string): boolean {
  const [one, other] = [seal, sealEnds(ends, key)].map((text) => Buffer.from(text));
  return one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other);
}

const hmac = (key: string, text: string) => createHmac("sha256", key).update(text, "utf8").digest("hex");

/** One text for one value. Half characters become what a database makes of them. */
function canonical(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (typeof value === "string") return JSON.stringify(value.toWellFormed());
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name.toWellFormed())}:${canonical(member)}`);
  return `{${members.join(",")}}`;
}
