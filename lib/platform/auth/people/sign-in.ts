import "server-only";
import { errors, generators, type TokenSet } from "openid-client";
import { buildFlowCookie, readFlowCookie } from "@/lib/platform/auth/people/flow-cookie";
import { type Grant, readGrant, sealTokens } from "@/lib/platform/auth/people/grant";
import { readName, readProxyName } from "@/lib/platform/auth/people/person";
import {
  findAnsweringProvider,
  findProvider,
  isProviderDown,
  type Provider,
  toleranceSeconds,
} from "@/lib/platform/auth/people/provider";
import { roleMs } from "@/lib/platform/auth/people/refresh-roles";
import { noteNoRole, type SignIn, signIns } from "@/lib/platform/auth/people/sign-ins";
import { findRequestOrigin, isSecureRequest } from "@/lib/platform/auth/request-guard";
import { idAtProvider, idAtProxy } from "@/lib/platform/auth/principal";
import { noteFailure, signInEvent } from "@/lib/platform/auth/record-sign-in";
import { buildSessionCookie } from "@/lib/platform/auth/session-cookie";
import { buildPersonClaims, encodeSession, findSealSeconds, sessionSeconds } from "@/lib/platform/auth/session-token";
import type { SignInProblem } from "@/lib/platform/auth/schema";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import { inTransaction } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";
import { isOwnMachine } from "@/lib/platform/settings/address-kinds";
import { SignInModel } from "@/models/access/sign-in";

export class SignInFailed extends Error {
  override readonly name = "SignInFailed";

  constructor(
    readonly problem: SignInProblem,
    cause?: unknown,
  ) {
    super(`sign-in failed: ${problem}`, { cause });
  }
}

/** Where the provider sends browsers back to. It must be registered there. */
export const callbackPath = "/api/auth/callback/oidc";
const redirectOf = (headers: Headers) => findRequestOrigin(headers) + callbackPath;

/** Starts a sign-in (`people.md` P2): code with PKCE, state and nonce. Returns the address to open, and the cookie. */
export async function beginSignIn(headers: Headers, target: string) {
  if (!isSecureRequest(headers) && !isOwnMachine(new URL(findRequestOrigin(headers)).hostname))
    throw new SignInFailed("insecure");
  const { client } = await providerOr("provider-down");
  const flow = { state: generators.state(), nonce: generators.nonce(), verifier: generators.codeVerifier(), target };
  const location = client.authorizationUrl({
    redirect_uri: redirectOf(headers),
    scope: loadSettings().oidcScopes,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: generators.codeChallenge(flow.verifier),
    code_challenge_method: "S256",
  });
  return { location, cookie: await buildFlowCookie(headers, flow) };
}

/** Completes a sign-in when the browser comes back. Returns where to continue, and the cookie. Throws SignInFailed. */
export async function finishSignIn(headers: Headers, url: string) {
  const flow = await readFlowCookie(headers);
  const problem = (error: unknown) => {
    noteFailure(headers, "provider");
    return toFailure(error);
  };
  try {
    if (flow === null) throw new SignInFailed("stale");
    const provider = await findProvider();
    const params = provider.client.callbackParams(url);
    const checks = { state: flow.state, nonce: flow.nonce, code_verifier: flow.verifier, response_type: "code" };
    const tokens = await provider.client.callback(redirectOf(headers), params, checks);
    return { target: flow.target, cookie: await beginSession(headers, provider, tokens) };
  } catch (error) {
    throw problem(error);
  }
}

async function beginSession(headers: Headers, provider: Provider, tokens: TokenSet) {
  const { sub: subject, sid, iat } = tokens.claims();
  // The library only checks the expiry.
  if (iat > Date.now() / 1000 + toleranceSeconds) throw new Error("The ID token was made in the future");
  const { role, roleProblem, source, claims } = await readGrant(tokens, null);
  const session = buildPersonClaims();
  const now = Date.now();
  const canAskAgain = tokens.refresh_token !== undefined || source === "userinfo";
  const signIn: SignIn = {
    id: session.sid,
    person: await identify(provider, tokens, claims),
    name: readName(claims, subject),
    role,
    roleProblem,
    dueAt: canAskAgain ? new Date(now + roleMs) : null,
    endsAt: new Date(now + sessionSeconds * 1000),
  };
  const { id: _id, ...stored } = signIn;
  const sealed = await sealTokens(tokens);
  const [writer, event] = signInEvent(headers, "login.succeed", { ...signIn, id: signIn.person });
  await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const atProvider = { subject, providerSession: typeof sid === "string" ? sid : null };
    await SignInModel.insertMany([{ _id, ...stored, ...atProvider, source, sealed }], { session: tx.session });
    tx.record(event);
  });
  signIns().set(signIn);
  noteNoRole(signIn);
  return buildSessionCookie(headers, await encodeSession(session), findSealSeconds(session));
}

/** The person's id. If a proxy also names people, the id under that name: one person must not have two ids. */
async function identify({ client, issuer, hasUserInfo }: Provider, tokens: TokenSet, claims: Grant["claims"]) {
  const { authUserHeader, authUserIdClaim: claim } = loadSettings();
  if (authUserHeader === null || claim === null) return idAtProvider(issuer, tokens.claims().sub);
  const name =
    readProxyName(claims, claim) ?? (hasUserInfo ? readProxyName(await client.userinfo(tokens), claim) : null);
  if (name === null)
    throw new Error("AUTH_USER_ID_CLAIM: the identity provider gives no name that the proxy could send");
  return idAtProxy(name);
}

async function providerOr(problem: SignInProblem): Promise<Provider> {
  try {
    return await findAnsweringProvider();
  } catch (error) {
    log.warn({ err: error }, "the identity provider cannot be used");
    throw new SignInFailed(problem, error);
  }
}

/** Turns an error into a problem for the login page. The log says more, but never the code or a token. */
function toFailure(error: unknown): SignInFailed {
  if (error instanceof SignInFailed) return error;
  const problem = nameProblem(error);
  log.warn({ problem, reason: error instanceof Error ? error.message : "unknown" }, "a sign-in failed");
  return new SignInFailed(problem, error);
}

function nameProblem(error: unknown): SignInProblem {
  if (isProviderDown(error)) return "provider-down";
  if (isUnavailable(error)) return "storage";
  if (error instanceof errors.OPError && error.error === "access_denied") return "cancelled";
  if (error instanceof errors.RPError && /state/.test(error.message)) return "stale";
  return "refused";
}
