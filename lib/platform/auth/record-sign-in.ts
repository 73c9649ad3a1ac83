"one per process";

import "server-only";
import { recordAuditEvent, recordOrKeep } from "@/lib/platform/audit/commands";
import { isEmergencyPassword, type Principal } from "@/lib/platform/auth/principal";
import type { AuditEntry } from "@/lib/platform/db/audit";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { findClientAddress, networkOf } from "@/lib/platform/http/read/client-address";
import { readWriterName } from "@/lib/platform/http/read/read-verified-name";
import { log } from "@/lib/platform/log";

/** Callers with the password may do everything, and choose their own name. */
const passwordId = "password";

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

export function recordSignIn(
  headers: Headers,
  action: "login.succeed" | "logout",
  person: Pick<Principal, "id" | "name" | "role"> | null = null,
): Promise<void> {
  return recordOrKeep(...signInEvent(headers, action, person));
}

const dayMs = 86_400_000;
let warnedAt = -Infinity;

/** Records each use of the emergency password, and warns in the log once a day (`people.md` P2). */
export async function noteBreakGlass(headers: Headers, now = Date.now()): Promise<void> {
  if (!isEmergencyPassword({ id: passwordId })) return;
  await recordOrKeep(...signInEvent(headers, "login.break-glass", null));
  if (now - warnedAt < dayMs) return;
  warnedAt = now;
  log.warn(
    "BASIC_AUTH_PASSWORD was used although people sign in under their own names; the activity list tells by whom",
  );
}

export type FailedProof = "password" | "header" | "token" | "provider";

interface Gathered {
  readonly since: number;
  count: number;
  readonly proofs: Set<FailedProof>;
  address: string | null;
}

const minuteMs = 60_000;
/** Networks counted separately within a minute. Further ones are counted together: whoever has many must not fill the disk. */
const maxNetworks = 20;
const byNetwork = new Map<string | null, Gathered>();

/** Counts a failed sign-in or token. `recordFailures` writes one event per network and minute (W12). */
export function noteFailure(headers: Headers, proof: FailedProof, now = Date.now()): void {
  const address = findClientAddress(headers);
  const from = networkOf(address, 64, 24);
  const network = byNetwork.has(from) || byNetwork.size < maxNetworks ? from : null;
  const gathered = byNetwork.get(network) ?? { since: now, count: 0, proofs: new Set(), address };
  gathered.count += 1;
  gathered.proofs.add(proof);
  if (gathered.address !== address) gathered.address = null;
  byNetwork.set(network, gathered);
}

export async function recordFailures(now = Date.now()): Promise<void> {
  const due = [...byNetwork].filter(([, { since }]) => since + minuteMs <= now);
  if (due.length === 0) return;
  for (const [network] of due) byNetwork.delete(network);
  const writer = { actor: "public", route: "login", requestId: null };
  const events = due.map(([network, { address, count, proofs, since }]) => ({
    action: "login.fail",
    target: "login",
    after: { network, address, count, proofs: [...proofs], since: new Date(since).toISOString() },
  }));
  try {
    await recordAuditEvent(writer, ...events);
  } catch (error) {
    for (const [network, { since, count, proofs, address }] of due) {
      const more = byNetwork.get(network);
      const all = new Set([...proofs, ...(more?.proofs ?? [])]);
      const same = more === undefined || more.address === address ? address : null;
      byNetwork.set(network, { since, count: count + (more?.count ?? 0), proofs: all, address: same });
    }
    throw error;
  }
}

export function forgetSignInsSeen(): void {
  warnedAt = -Infinity;
  byNetwork.clear();
}
