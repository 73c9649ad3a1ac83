import "server-only";
import type { JWT } from "next-auth/jwt";
import { noteFailure } from "@/lib/platform/auth/failed-sign-ins";
import { findProxyUser } from "@/lib/platform/auth/callers/proxy-user";
import { findSession } from "@/lib/platform/auth/find-session";
import { requirePasswordHeader } from "@/lib/platform/auth/login";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { isEmergencyPassword, type Principal, type Proof } from "@/lib/platform/auth/principal";
import { accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import { readBearerToken } from "@/lib/platform/auth/tokens/token-text";
import { readWriterName } from "@/lib/platform/http/read/read-writer-name";
import { loadSettings } from "@/lib/platform/settings";

/**
 * Who is calling (`people.md` P1, P11): a program with a token; else with `AUTH_TYPE=basic` the header `BASIC-AUTH-PASSWORD` must hold the
 * password, or a session cookie must come along; otherwise everyone who can reach the server is an administrator.
 *
 * With `AUTH_TYPE=oidc` sessions are those of people whom the identity provider has named (P2), and with
 * `AUTH_ROLES_HEADER` a proxy in front names them with each request (P6).
 *
 * @returns null: nothing shows who it is
 * @throws AppError 429 for a password in the header, right or wrong, after ten wrong ones from its address;
 *   DatabaseUnavailable where the password is for emergencies and too many events wait (`recordOrKeep`)
 */
export async function findPrincipal(headers: Headers): Promise<Principal | null> {
  const { authType } = loadSettings();
  // Where nobody signs in at all, and only this machine may call, there is nobody to tell apart.
  if (authType === null) return sharing("open", headers);
  const text = readBearerToken(headers);
  if (text !== null) return findProgram(text, headers);
  if (authType === "none") return sharing("open", headers);
  if (await requirePasswordHeader(headers)) return sharing("header", headers);
  const user = findProxyUser(headers);
  if (user !== null) return user;
  const session = await findSession(headers);
  if (session === null) return null;
  return session.sub === "person" ? findPerson(session) : sharing("session", headers);
}

async function findPerson({ sid }: JWT): Promise<Principal | null> {
  const signIn = typeof sid === "string" ? await signIns().find(sid) : null;
  if (signIn === null) return null;
  const { person, name, role } = signIn;
  return { id: person, name, isVerified: true, proof: "session", role };
}

/**
 * Who sends a token means it: one that does not hold is no reason to look further. It counts as a failure in the trail alone:
 * nobody guesses 32 bytes, and a forgotten program must not keep people of its address from signing in.
 */
async function findProgram(text: string, headers: Headers): Promise<Principal | null> {
  const token = accessTokens().find(text);
  if (token === null) {
    noteFailure(headers, "token");
    return null;
  }
  await token.firstUse;
  const { id, name, role, makerId } = token;
  return { id: `token:${id}`, name, isVerified: true, proof: "token", role, makerId };
}

/** Everybody who knows the password, or reaches an open server, may do everything; their names are what they say. */
function sharing(proof: Exclude<Proof, "token" | "proxy">, headers: Headers): Principal {
  const { displayName: name, isNameVerified } = readWriterName(headers);
  const id = proof === "open" ? "open" : "password";
  // In an emergency a name beside the password is what somebody says: nobody asks for approval or gives it by that.
  const isVerified = isNameVerified && !isEmergencyPassword({ id });
  return { id, name, isVerified, proof, role: "admin" };
}
