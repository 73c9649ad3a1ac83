import { longestDisplayName, unfitInDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { isPlainName } from "@/lib/labels/person-names";

type Claims = Readonly<Record<string, unknown>>;

/** Finds a claim by name. A name with dots can also be a path, like Keycloak's `realm_access.roles`. */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, part) => {
    return typeof value === "object" && value !== null && Object.hasOwn(value, part)
      ? new Map<string, unknown>(Object.entries(value)).get(part)
      : undefined;
  }, claims);
}

/** The groups claim (`people.md` P3): a list of strings, or one string. Null: missing or of another type. */
export function readGroups(claims: Claims, name: string): readonly string[] | null {
  const claim = findClaim(claims, name);
  if (typeof claim === "string") return [claim];
  return Array.isArray(claim) ? claim.filter((group) => typeof group === "string") : null;
}

/** The name a proxy would send for this person (`AUTH_USER_ID_CLAIM`). Null: missing, or a proxy could not send it. */
export function readProxyName(claims: Claims, claim: string): string | null {
  const name = findClaim(claims, claim);
  if (typeof name !== "string" || !isPlainName(name)) return null;
  return name.includes(",") || name.length > longestDisplayName ? null : name;
}

/** The name to show: the first claim without invisible characters, else the subject. */
export function readName(claims: Claims, subject: string): string {
  const candidates = [claims.name, claims.preferred_username, claims.email, subject];
  const fit = candidates.find(
    (name): name is string => typeof name === "string" && name.trim() !== "" && !unfitInDisplayName.test(name),
  );
  // The cut may leave half a surrogate pair, which is dropped.
  return (fit ?? "somebody")
    .trim()
    .slice(0, longestDisplayName)
    .toWellFormed()
    .replace(/\ufffd$/, "");
}
