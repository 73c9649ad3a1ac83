import { loadSettings } from "@/lib/platform/settings";
import { foldName } from "@/lib/labels/person-names";
import type { Role } from "@/lib/labels/roles";

/** What proves who is calling; "open": nothing is asked for. */
export type Proof = "open" | "header" | "session" | "token" | "proxy";

export interface Principal {
  /** Survives a change of name: `oidc|<issuer>|<subject>`, `proxy|<identifier>`, `token:4`, "password", "open". */
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

export const idAtProvider = (issuer: string, subject: string): string => `oidc|${issuer}|${subject}`;

/** The id of somebody whom the proxy in front has named. Proxies differ in the case they send: the same name is one person. */
export const idAtProxy = (name: string): string => `proxy|${foldName(name)}`;

/** Whether somebody used the emergency password (`people.md` P2, P6), which says nothing about who they are. */
export function isEmergencyPassword({ id }: Pick<Principal, "id">): boolean {
  const { authType, authRolesHeader } = loadSettings();
  return id === "password" && (authType === "oidc" || authRolesHeader !== null);
}
