import { createHash } from "node:crypto";

/** The hash itself, and what the database library adds of its own. */
const unhashed: readonly string[] = ["hash", "__v"];

/**
 * The SHA-256 of an audit event (`people.md` P15): of all its members but its own hash, the hash of the one before among them.
 * Members are ordered by name, so that it does not matter in which order a database gives them back.
 *
 * @param event as it is stored
 * @returns hexadecimal digits
 */
export function hashEvent(event: Readonly<Record<string, unknown>>): string {
  const rest = Object.entries(event).filter(([name]) => !unhashed.includes(name));
  return createHash("sha256")
    .update(canonical(Object.fromEntries(rest)), "utf8")
    .digest("hex");
}

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
