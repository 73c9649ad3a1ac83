import { loadSettings } from "@/lib/platform/settings";
import { foldName } from "@/lib/vocabulary/person-names";
import type { Role } from "@/lib/vocabulary/roles";

/** How the caller proved who they are; "open": no proof is needed. */
export type Proof = "open" | "header" | "session" | "token" | "proxy";

export interface Principal {
  /** Stays the same if the name changes: `oidc|<issuer>|<subject>`, `proxy|<identifier>`, `token:4`, "password", "open". */
  readonly id: string;
  /** Null: they gave no name. */
  readonly name: string | null;
  /** Whether somebody other than the caller vouches for the name. */
  readonly isVerified: boolean;
  readonly proof: Proof;
  /** The user who created the API token. They must not approve what it requests. */
  readonly makerId?: string | null;
  /** Null: a known user without permissions. */
  readonly role: Role | null;
}

export const idAtProvider = (issuer: string, subject: string): string => `oidc|${issuer}|${subject}`;

/** The id of a user whom the proxy names. Names that differ only in case are one person, because proxies differ there. */
export const idAtProxy = (name: string): string => `proxy|${foldName(name)}`;

/** Whether the caller is one named person, not an API token or anyone who knows a shared password. */
export const isPerson = ({ id }: Pick<Principal, "id">): boolean => /^(oidc|proxy)\|/.test(id);

/** The caller as pages know them: who keeps drafts, and what the header shows. An id that others share is null. */
export const describeReader = (one: Principal) => ({
  id: isPerson(one) ? one.id : null,
  name: one.name,
  role: one.role,
});

/** Whether the caller used the emergency password (`people.md` P2, P6), which says nothing about who they are. */
export function isEmergencyPassword({ id }: Pick<Principal, "id">): boolean {
  const { authType, authRolesHeader } = loadSettings();
  return id === "password" && (authType === "oidc" || authRolesHeader !== null);
}
