import { loadSettings } from "@/lib/platform/settings";
import { foldName } from "@/lib/labels/person-names";
import type { Role } from "@/lib/labels/roles";

/**
 * What proves who is calling: nothing is asked for ("open"), the password in a header, a session, a token of a program,
 * or a trusted proxy in front.
 */
export type Proof = "open" | "header" | "session" | "token" | "proxy";

/** Who is calling. */
export interface Principal {
  /**
   * Stays the same while the name changes: `oidc|<issuer>|<subject>`, `proxy|<identifier>`, `token:4`; "password" and "open" are
   * shared by everybody who has it.
   */
  readonly id: string;
  /** Null: they did not say. */
  readonly name: string | null;
  /** Whether somebody else than the caller vouches for the name. */
  readonly isVerified: boolean;
  readonly proof: Proof;
  /** Of who made a program's token: what the program asks for, they must not approve themselves. */
  readonly makerId?: string | null;
  /** Null: known by name, and may do nothing (rule P3). */
  readonly role: Role | null;
}

/** The id of somebody whom the identity provider has named. */
export const idAtProvider = (issuer: string, subject: string): string => `oidc|${issuer}|${subject}`;

/** The id of somebody whom the proxy in front has named. Proxies differ in the case they send: the same name is one person. */
export const idAtProxy = (name: string): string => `proxy|${foldName(name)}`;

/**
 * Whether somebody came in by the password where people sign in under their own names (`people.md` P2, P6): it says of
 * nobody who they are.
 */
export function isEmergencyPassword({ id }: Pick<Principal, "id">): boolean {
  const { authType, authRolesHeader } = loadSettings();
  return id === "password" && (authType === "oidc" || authRolesHeader !== null);
}
