import "server-only";
import { recordOrKeep } from "@/lib/platform/audit/commands";
import type { Principal } from "@/lib/platform/auth/principal";
import { isEmergencyPassword } from "@/lib/platform/auth/principal";
import type { AuditEntry } from "@/lib/platform/db/audit";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { findClientAddress } from "@/lib/platform/http/read/client-address";
import { readWriterName } from "@/lib/platform/http/read/read-writer-name";
import { log } from "@/lib/platform/log";
import { processGlobal } from "@/lib/platform/process-globals";

/** Whoever comes in by the password may do everything, and says their name themselves. */
const passwordId = "password";

/** The event of somebody's sign-in or sign-out, with the address that it came from (`gate.md` W12). */
export function signInEvent(
  headers: Headers,
  action: "login.succeed" | "login.break-glass" | "logout",
  person: Pick<Principal, "id" | "name" | "role"> | null,
): readonly [WriteContext, AuditEntry] {
  const who = person
    ? { actor: person.role ?? "public", displayName: person.name, isNameVerified: true, callerIds: [person.id] }
    : { actor: "admin", ...readWriterName(headers), callerIds: [passwordId] };
  const after = { address: findClientAddress(headers) };
  return [
    { route: "login", requestId: null, ...who },
    { action, target: "login", after },
  ];
}

/** Records a sign-in with the password, or a sign-out, before anybody is told. `person`: from the identity provider. */
export function recordSignIn(
  headers: Headers,
  action: "login.succeed" | "logout",
  person: Pick<Principal, "id" | "name" | "role"> | null = null,
): Promise<void> {
  return recordOrKeep(...signInEvent(headers, action, person));
}

const dayMs = 86_400_000;
const breakGlass = processGlobal("break-glass", () => ({ warnedAt: -Infinity }));

/** Records each use of the emergency password, and warns in the log once a day (`people.md` P2). */
export async function noteBreakGlass(headers: Headers, now = Date.now()): Promise<void> {
  if (!isEmergencyPassword({ id: passwordId })) return;
  await recordOrKeep(...signInEvent(headers, "login.break-glass", null));
  if (now - breakGlass.warnedAt < dayMs) return;
  breakGlass.warnedAt = now;
  log.warn(
    "BASIC_AUTH_PASSWORD was used although people sign in under their own names; the activity list tells by whom",
  );
}
