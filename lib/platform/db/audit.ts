export type AuditValue =
  string | number | boolean | null | readonly AuditValue[] | { readonly [member: string]: AuditValue };

const secretName = /key$|certificate|password|passphrase|secret|token$|cookie/i;
const secretText = /-----BEGIN|^Basic /;
const longestText = 1000;

/** The value as an audit event may store it: secrets masked and long texts cut, in case a caller handed some over. */
export function buildAuditValue(value: AuditValue): AuditValue {
  if (typeof value === "string") return secretText.test(value) ? "[removed]" : value.slice(0, longestText);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(buildAuditValue);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) && member !== null ? "[removed]" : buildAuditValue(member),
    ]),
  );
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(value: object): value is readonly AuditValue[] {
  return Array.isArray(value);
}

export interface EventWriter {
  /** A role, `public`, `visitor`, `directory`, `webhook`, `schedule` or `setup`; never a credential. */
  readonly actor: string;
  /** Route or task, e.g. `POST /api/v1/groups`. */
  readonly route: string;
  readonly requestId: string | null;
  readonly displayName?: string | null;
  /** Whether somebody else vouches for the name: the identity provider, a proxy, or who made the token. */
  readonly isNameVerified?: boolean;
  /** Ids of who is behind it: the caller's, and of who made their token (`people.md` P9). */
  readonly callerIds?: readonly string[];
}

/** What one command did. Ids and plain values; members that may hold a secret are blanked. */
export interface AuditEntry {
  readonly action: string;
  /** What it was done to, e.g. `group:Location-1`. */
  readonly target: string;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
}

/** The events of what a transaction has recorded, without their ids and hashes. */
export function buildEvents(
  { writer, now, revision }: { readonly writer: EventWriter; readonly now: Date; readonly revision: number },
  entries: readonly AuditEntry[],
) {
  return entries.map(({ action, target, before, after }) => ({
    at: now,
    revision,
    actor: writer.actor,
    personId: writer.callerIds?.at(-1) ?? null,
    displayName: writer.displayName ?? null,
    isNameVerified: writer.isNameVerified ?? false,
    route: writer.route,
    requestId: writer.requestId,
    action,
    target,
    before: buildAuditValue(before ?? null),
    after: buildAuditValue(after ?? null),
  }));
}
