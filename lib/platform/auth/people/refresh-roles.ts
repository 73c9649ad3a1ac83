import "server-only";
import { TokenSet } from "openid-client";
import {
  type HeldTokens,
  type OpenedTokens,
  openTokens,
  readGrant,
  sealTokens,
  type Source,
} from "@/lib/platform/auth/people/grant";
import { findProvider, isProviderDown, isRefusedGrant } from "@/lib/platform/auth/people/provider";
import { noteNoRole, type SignIn, signIns } from "@/lib/platform/auth/people/sign-ins";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import { SignInModel } from "@/models/access/sign-in";

/** Age at which roles are renewed (`people.md` P4), in milliseconds. Leaves time to retry within 15 minutes. */
export const roleMs = 13 * 60 * 1000;
/** Maximum age of a role that the provider does not confirm, unless the provider is down. */
const longestUnconfirmedMs = 15 * 60 * 1000;
/** Delay before the next try, also by another instance after a crash. */
const againMs = 60 * 1000;
/** Concurrent requests: slow answers about some people must not delay the others. */
const maxAtOnce = 8;

/** Renews the roles that are due, each on one instance, because refresh tokens may work only once. Never throws (P5). */
export async function refreshDueRoles(now = new Date()): Promise<void> {
  const begun = performance.now();
  // Longest overdue first, so that retries do not overtake others.
  const due = signIns()
    .list()
    .flatMap((signIn) => (isDue(signIn, now) ? [{ signIn, dueAt: signIn.dueAt.getTime() }] : []))
    .sort((one, other) => one.dueAt - other.dueAt)
    .values();
  const work = async () => {
    for (const { signIn } of due) await tryRefreshRole(signIn, new Date(now.getTime() + performance.now() - begun));
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
}

function isDue(signIn: SignIn, now: Date): signIn is SignIn & { readonly dueAt: Date } {
  return signIn.dueAt !== null && signIn.dueAt <= now && signIn.endsAt > now;
}

async function tryRefreshRole(signIn: SignIn, now: Date): Promise<void> {
  try {
    await refreshRole(signIn, now);
  } catch (error) {
    if (!isProviderDown(error)) log.warn({ err: error }, "could not refresh a role at the identity provider");
  }
}

async function refreshRole(signIn: SignIn, now: Date): Promise<void> {
  const again = new Date(now.getTime() + againMs);
  const claim = { _id: signIn.id, dueAt: signIn.dueAt };
  const record = await inDatabase(() => SignInModel.findOneAndUpdate(claim, { $set: { dueAt: again } }).lean());
  if (record === null) return;
  signIns().set({ ...signIn, dueAt: again });
  const outcome = await askInTime(await openTokens(record.sealed), record.source, again);
  if (outcome === "ended") {
    await signIns().remove(signIn.id);
    return;
  }
  const next = outcome === "unknown" ? null : new Date(now.getTime() + roleMs);
  const { role, roleProblem } = outcome === "unknown" ? signIn : outcome;
  const sealed = outcome === "unknown" ? record.sealed : await sealTokens(outcome.tokens);
  await inDatabase(() =>
    SignInModel.updateOne({ _id: signIn.id }, { $set: { role, roleProblem, sealed, dueAt: next } }),
  );
  const renewed = { ...signIn, role, roleProblem, dueAt: next };
  signIns().set(renewed);
  if (signIn.role !== null) noteNoRole(renewed);
}

type Outcome = "ended" | "unknown" | (Pick<SignIn, "role" | "roleProblem"> & { readonly tokens: HeldTokens });

/** Asks once. Throws on failure while there is time for another try (`again`); after that, ends the session. */
async function askInTime(held: OpenedTokens, source: Source, again: Date): Promise<Outcome> {
  try {
    return await askProvider(held, source);
  } catch (error) {
    const confirmedAt = (held.iat ?? 0) * 1000;
    if (isProviderDown(error) || again.getTime() <= confirmedAt + longestUnconfirmedMs) throw error;
    log.warn({ err: error }, "session ended: the identity provider no longer confirms the role");
    return "ended";
  }
}

/** "unknown": the provider cannot be asked again, so the role stays until the session ends. */
async function askProvider(held: HeldTokens, source: Source): Promise<Outcome> {
  const { client } = await findProvider();
  if (held.refresh_token !== undefined) {
    try {
      const tokens = await client.refresh(held.refresh_token);
      if (tokens.access_token === undefined) throw new Error("The provider has answered a refresh without a token");
      if (source === "id_token" && tokens.id_token === undefined) return "unknown";
      const { role, roleProblem, claims } = await readGrant(tokens, source);
      return isSamePerson(held, claims) ? { role, roleProblem, tokens: { ...held, ...defined(tokens) } } : "ended";
    } catch (error) {
      // The grant was revoked, e.g. because the account was closed. Others can sign in again.
      if (isRefusedGrant(error)) return "ended";
      throw error;
    }
  }
  if (source === "id_token" || held.access_token === undefined) return "unknown";
  try {
    const { role, roleProblem, claims } = await readGrant(new TokenSet({ access_token: held.access_token }), source);
    return isSamePerson(held, claims) ? { role, roleProblem, tokens: held } : "ended";
  } catch (error) {
    // An expired access token says nothing about the person.
    if (isProviderDown(error)) throw error;
    return "unknown";
  }
}

/** Whether the response is about the person who signed in (OpenID Connect Core 12.2, 5.3.2). */
function isSamePerson({ id_token }: HeldTokens, { sub }: Readonly<Record<string, unknown>>): boolean {
  const isSame = id_token !== undefined && new TokenSet({ id_token }).claims().sub === sub;
  if (!isSame) log.warn("session ended: the identity provider answered about another person");
  return isSame;
}

function defined({ id_token, access_token, refresh_token }: TokenSet): HeldTokens {
  return {
    ...(id_token !== undefined && { id_token }),
    ...(access_token !== undefined && { access_token }),
    ...(refresh_token !== undefined && { refresh_token }),
  };
}
