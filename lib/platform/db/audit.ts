export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [member: string]: AuditValue };

const secretName = /key$|certificate|password|passphrase|secret|token$|cookie/i;
const secretText = /-----BEGIN|^Basic /;
const longestText = 1000;

/** Prepares a value for an audit event: masks secrets and cuts long texts, in case a caller passed any. */
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
  readonly route: string;
  readonly requestId: string | null;
  readonly displayName?: string | null;
  /** Whether somebody else vouches for the name: the identity provider, a proxy, or the creator of the token. */
  readonly isNameVerified?: boolean;
  /** Ids of the people behind it: the caller, and the creator of their token. */
  readonly callerIds?: readonly string[];
}

/** What one command did: ids and plain values. Fields that may contain a secret are masked. */
export interface AuditEntry {
  readonly action: string;
  readonly target: string;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
}

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
