/** What an audit event may hold before and after a change. */
export type AuditValue =
  string | number | boolean | null | readonly AuditValue[] | { readonly [member: string]: AuditValue };

const secretName = /key$|certificate|password|passphrase|secret|token$|cookie/i;
const secretText = /-----BEGIN|^Basic /;
const longestText = 1000;

/**
 * The value as it may be stored in an audit event: members that may hold a secret and texts that look like one are
 * replaced, long texts are cut. Callers should not hand secrets over; this is the net below them.
 */
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
