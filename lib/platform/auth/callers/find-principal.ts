import "server-only";
import type { JWT } from "next-auth/jwt";
import { noteFailure } from "@/lib/platform/auth/record-sign-in";
import { findProxyUser } from "@/lib/platform/auth/callers/proxy-user";
import { findSession } from "@/lib/platform/auth/session-cookie";
import { requirePasswordHeader } from "@/lib/platform/auth/login";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { isEmergencyPassword, type Principal, type Proof } from "@/lib/platform/auth/principal";
import { accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import { readBearerToken } from "@/lib/platform/auth/tokens/token-text";
import { noteCaller } from "@/lib/platform/http/headers/caller";
import { readWriterName } from "@/lib/platform/http/read/read-verified-name";
import { loadSettings } from "@/lib/platform/settings";

/**
 * Finds the caller (`people.md` P1, P2, P6, P11); null: unknown. With `AUTH_TYPE` unset or `none`, everyone is an
 * administrator. Throws AppError 429 for a password header after ten wrong ones from its address; DatabaseUnavailable.
 */
export async function findPrincipal(headers: Headers): Promise<Principal | null> {
  const principal = await identify(headers);
  // Where everyone may call, credentials prove nothing.
  if (principal?.proof !== "open") noteCaller(principal !== null);
  return principal;
}

async function identify(headers: Headers): Promise<Principal | null> {
  const { authType } = loadSettings();
  // Without sign-in, only this machine may call, so there are no users to tell apart.
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

/** If a request carries a token, only the token counts. A wrong one throttles nobody: 32 bytes cannot be guessed. */
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

/** Everyone who knows the password, or reaches an open server, may do everything. They choose their own names. */
function sharing(proof: Exclude<Proof, "token" | "proxy">, headers: Headers): Principal {
  const { displayName: name, isNameVerified } = readWriterName(headers);
  const id = proof === "open" ? "open" : "password";
  // A name next to the emergency password is only claimed, so nobody can request or give approval with it.
  const isVerified = isNameVerified && !isEmergencyPassword({ id });
  return { id, name, isVerified, proof, role: "admin" };
}
