import "server-only";
import { recordAuditEventLater } from "@/lib/audit/commands";
import type { Principal } from "@/lib/auth/principal";
import { findClientAddress } from "@/lib/http/read/client-address";
import { readWriterName } from "@/lib/http/read/read-writer-name";
import { log } from "@/lib/log";
import { loadSettings } from "@/lib/settings";
import { sharedState } from "@/lib/shared-state";

/**
 * Records a sign-in, or one that failed, with the address it came from. Nobody waits for it: the login works while the
 * database is away, and only the log tells of it then.
 */
export function recordSignIn(headers: Headers, hasSucceeded: boolean): void {
  record(headers, hasSucceeded ? "login.succeed" : "login.fail", {
    actor: hasSucceeded ? "admin" : "public",
    ...readWriterName(headers),
  });
}

/** Records that somebody who has the password signs out. */
export function recordSignOut(headers: Headers): void {
  record(headers, "logout", { actor: "admin", ...readWriterName(headers) });
}

/** Records that somebody whom the identity provider has named signs in or out; null: nobody knows who failed. */
export function recordPerson(
  headers: Headers,
  action: "login.succeed" | "login.fail" | "logout",
  person: Pick<Principal, "name" | "role"> | null,
): void {
  const who = { displayName: person?.name ?? null, isNameVerified: person !== null };
  record(headers, action, { actor: person?.role ?? "public", ...who });
}

const dayMs = 86_400_000;
const breakGlass = sharedState("break-glass", () => ({ warnedAt: -Infinity }));

/**
 * Records each use of the password beside an identity provider, where it is for emergencies; the log warns once a day
 * (`people.md` P2). Nothing where the password is how people sign in.
 */
export function noteBreakGlass(headers: Headers, now = Date.now()): void {
  if (loadSettings().authType !== "oidc") return;
  record(headers, "login.break-glass", { actor: "admin", ...readWriterName(headers) });
  if (now - breakGlass.warnedAt < dayMs) return;
  breakGlass.warnedAt = now;
  log.warn(
    "BASIC_AUTH_PASSWORD was used although people sign in at the identity provider; the activity list tells by whom",
  );
}

interface Who {
  readonly actor: string;
  readonly displayName: string | null;
  readonly isNameVerified: boolean;
}

function record(headers: Headers, action: string, who: Who): void {
  const after = { address: findClientAddress(headers) };
  recordAuditEventLater({ route: "login", requestId: null, ...who }, { action, target: "login", after });
}
