import "server-only";
import { decode, encode } from "next-auth/jwt";
import type { TokenSet } from "openid-client";
import { z } from "zod";
import { explainNoRole, readPersonGroups } from "@/lib/platform/auth/people/person";
import { findProvider } from "@/lib/platform/auth/people/provider";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { loadSettings } from "@/lib/platform/settings";
import { roleOfGroups, type Role } from "@/lib/vocabulary/roles";

/** Makes the keys differ from those of cookies. */
const salt = "sign-in tokens";
/** Longer than any session: the sealed tokens are deleted with the session's record. */
const sealSeconds = 24 * 60 * 60;

const heldTokens = z.object({
  id_token: z.string().optional(),
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
});
export type HeldTokens = z.output<typeof heldTokens>;

/** The sealed tokens. `iat`: when the provider last confirmed the role, in seconds since 1970. */
const openedTokens = heldTokens.extend({ iat: z.number().optional() });
export type OpenedTokens = z.output<typeof openedTokens>;

/** Encrypts the provider's tokens with `SESSION_SECRET`: a copy of the database is not enough to use them. */
export async function sealTokens({ id_token, access_token, refresh_token }: HeldTokens): Promise<string> {
  const token = { id_token, access_token, refresh_token };
  return encode({ token, secret: loadSessionSecret(), maxAge: sealSeconds, salt });
}

/** Opens sealed tokens. Returns none if the secret has changed. */
export async function openTokens(sealed: string): Promise<OpenedTokens> {
  const opened = await decode({ token: sealed, secret: loadSessionSecret(), salt }).catch(() => null);
  return openedTokens.catch({}).parse(opened);
}

export type Source = "id_token" | "userinfo";

export interface Grant {
  readonly role: Role | null;
  readonly roleProblem: string | null;
  readonly source: Source;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Reads the role from the ID token, else from the user info (`people.md` P3). `source`: where it was last time. */
export async function readGrant(tokens: TokenSet, source: Source | null): Promise<Grant> {
  const { oidcRoleClaim, oidcRoles } = loadSettings();
  const own: Readonly<Record<string, unknown>> = tokens.id_token === undefined ? {} : tokens.claims();
  const { client, hasUserInfo } = await findProvider();
  const grantOf = (from: Source, given: Grant["claims"], all = given): Grant => {
    const some = readPersonGroups(given, oidcRoleClaim);
    const role = some === null || oidcRoles === null ? null : roleOfGroups(some, oidcRoles);
    // The ID token alone says that groups were left out.
    const roleProblem = role === null ? explainNoRole(some === null ? all : given, oidcRoleClaim) : null;
    return { role, roleProblem, source: from, claims: all };
  };
  const isOwnUsed = source !== "userinfo" && readPersonGroups(own, oidcRoleClaim) !== null;
  if (isOwnUsed || source === "id_token" || !hasUserInfo || tokens.access_token === undefined) {
    return grantOf("id_token", own);
  }
  const more = await client.userinfo(tokens);
  return grantOf("userinfo", more, { ...more, ...own });
}
