import "server-only";
import type { JWT } from "next-auth/jwt";
import { openTokens } from "@/lib/platform/auth/people/grant";
import { findProvider } from "@/lib/platform/auth/people/provider";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { findRequestOrigin } from "@/lib/platform/auth/request-guard";
import { recordSignIn } from "@/lib/platform/auth/record-sign-in";
import { endSession } from "@/lib/platform/auth/session-token";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import { SignInModel } from "@/models/access/sign-in";

/** Where the provider sends browsers after a sign-out. It must be registered there. */
const afterwards = "/login";

/** Ends a session everywhere (`people.md` P4), even without the provider. Returns where to end the provider's session. */
export async function signOut(headers: Headers, session: JWT): Promise<string | null> {
  const person = session.sub === "person" && typeof session.sid === "string" ? session.sid : null;
  const signIn =
    person === null
      ? null
      : await signIns()
          .find(person)
          .catch(() => null);
  const address = person === null ? null : await findProvidersEnd(headers, person);
  await endSession(session);
  if (person !== null) {
    await signIns()
      .remove(person)
      .catch((error: unknown) => log.warn({ err: error }, "could not remove a sign-in yet"));
    // If the session had already ended, its user is unknown.
    if (signIn === null) return address;
  }
  await recordSignIn(headers, "logout", signIn && { ...signIn, id: signIn.person }).catch((error: unknown) =>
    log.warn({ err: error }, "could not record a sign-out"),
  );
  return address;
}

async function findProvidersEnd(headers: Headers, id: string): Promise<string | null> {
  try {
    const { client, canSignOut } = await findProvider();
    if (!canSignOut) return null;
    const record = await inDatabase(() => SignInModel.findOne({ _id: id }, { sealed: 1 }).lean());
    const { id_token } = record === null ? {} : await openTokens(record.sealed);
    const target = { post_logout_redirect_uri: findRequestOrigin(headers) + afterwards };
    return client.endSessionUrl({ ...target, ...(id_token !== undefined && { id_token_hint: id_token }) });
  } catch (error) {
    log.warn({ err: error }, "the identity provider's session could not be ended");
    return null;
  }
}
