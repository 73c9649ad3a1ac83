import "server-only";
import { decode, encode } from "next-auth/jwt";
import type { TokenSet } from "openid-client";
import { z } from "zod";
import { readGroups } from "@/lib/platform/auth/people/person";
import { findProvider } from "@/lib/platform/auth/people/provider";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { loadSettings } from "@/lib/platform/settings";
import { roleOfGroups, type Role } from "@/lib/labels/roles";

/** Other keys than those of cookies are derived with it. */
const salt = "sign-in tokens";
/** Longer than any session: what ends is the record that holds it. */
const sealSeconds = 24 * 60 * 60;

const heldTokens = z.object({
  id_token: z.string().optional(),
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
});
export type HeldTokens = z.output<typeof heldTokens>;

/** What was sealed, and when: that is when the provider last confirmed the role, in seconds since 1970. */
const openedTokens = heldTokens.extend({ iat: z.number().optional() });
export type OpenedTokens = z.output<typeof openedTokens>;

/** Seals the provider's tokens with `SESSION_SECRET`: nobody who reads the database can use them. */
export async function sealTokens({ id_token, access_token, refresh_token }: HeldTokens): Promise<string> {
  const token = { id_token, access_token, refresh_token };
  return encode({ token, secret: loadSessionSecret(), maxAge: sealSeconds, salt });
}

/** What was sealed; nothing where the secret has changed since. */
export async function openTokens(sealed: string): Promise<OpenedTokens> {
  const opened = await decode({ token: sealed, secret: loadSessionSecret(), salt }).catch(() => null);
  return openedTokens.catch({}).parse(opened);
}

export type Source = "id_token" | "userinfo";

export interface Grant {
  readonly role: Role | null;
  readonly source: Source;
  /** ID token and user info together. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Reads the role from the ID token, else from the user info (`people.md` P3). `source`: where it was before. */
export async function readGrant(tokens: TokenSet, source: Source | null): Promise<Grant> {
  const { oidcRoleClaim, oidcRoles } = loadSettings();
  const own: Readonly<Record<string, unknown>> = tokens.id_token === undefined ? {} : tokens.claims();
  const groups = readGroups(own, oidcRoleClaim);
  const { client, hasUserInfo } = await findProvider();
  const roleOf = (some: readonly string[] | null) =>
    some === null || oidcRoles === null ? null : roleOfGroups(some, oidcRoles);
  if (source !== "userinfo" && groups !== null) return { role: roleOf(groups), source: "id_token", claims: own };
  if (source === "id_token" || !hasUserInfo || tokens.access_token === undefined) {
    return { role: null, source: "id_token", claims: own };
  }
  const more = await client.userinfo(tokens);
  return { role: roleOf(readGroups(more, oidcRoleClaim)), source: "userinfo", claims: { ...more, ...own } };
}
