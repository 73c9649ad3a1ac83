import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { isPlainName } from "@/lib/vocabulary/person-names";
import { whyUnfitText } from "@/lib/vocabulary/whole-text";

type Claims = Readonly<Record<string, unknown>>;

/** Finds a claim by name. A name with dots can also be a path, like Keycloak's `realm_access.roles`. */
function findClaim(claims: unknown, name: string): unknown {
  if (typeof claims !== "object" || claims === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(claims));
  if (members.has(name)) return members.get(name);
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const found = findClaim(members.get(name.slice(0, dot)), name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The groups claim (`people.md` P3): a list of strings, or one string. Null: missing or of another type. */
export function readPersonGroups(claims: Claims, name: string): readonly string[] | null {
  const claim = findClaim(claims, name);
  if (typeof claim === "string") return [claim];
  return Array.isArray(claim) ? claim.filter((group) => typeof group === "string") : null;
}

/** Why claims give a person no role (`people.md` P3): a sentence that names claim and settings, and no group. */
export function explainNoRole(claims: Claims, name: string): string {
  const claim = findClaim(claims, name);
  const groups = readPersonGroups(claims, name);
  if (groups !== null && groups.length > 0)
    return `OIDC_ROLES has none of the groups (${groups.length}) in the claim ${name}`;
  if (groups !== null) return `The claim ${name} has no groups`;
  const [root = name] = name.split(".");
  // Entra ID names another place for claims that would be too long, and `hasgroups` in implicit flows.
  if (findClaim(claims._claim_names, root) !== undefined || claims.hasgroups === true) {
    return `Entra ID leaves out the claim ${name} (groups overage): give it only the groups assigned to the application, or app roles`;
  }
  if (claim === undefined) return `The claim ${name} is missing (OIDC_ROLE_CLAIM, OIDC_SCOPES)`;
  return `The claim ${name} is neither a list nor a text`;
}

/** The name a proxy would send for this person (`AUTH_USER_ID_CLAIM`). Null: missing, or a proxy could not send it. */
export function readProxyName(claims: Claims, claim: string): string | null {
  const name = findClaim(claims, claim);
  if (typeof name !== "string" || !isPlainName(name)) return null;
  return name.includes(",") || name.length > longestDisplayName ? null : name;
}

export function readName(claims: Claims, subject: string): string {
  const candidates = [claims.name, claims.preferred_username, claims.email, subject];
  const fit = candidates.find(
    (name): name is string => typeof name === "string" && name.trim() !== "" && whyUnfitText(name) === null,
  );
  // The cut may leave half a surrogate pair, which is dropped.
  return (fit ?? "somebody")
    .trim()
    .slice(0, longestDisplayName)
    .toWellFormed()
    .replace(/\ufffd$/, "");
}
