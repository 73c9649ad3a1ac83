import "server-only";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { findClientAddress } from "@/lib/platform/http/read/client-address";
import { processGlobal } from "@/lib/platform/process-globals";

/** What did not prove who somebody is: a password typed or in a header, a token, or the answer of the identity provider. */
export type FailedProof = "password" | "header" | "token" | "provider";

interface Gathered {
  readonly since: number;
  count: number;
  readonly proofs: Set<FailedProof>;
}

const minuteMs = 60_000;
/** Addresses told apart within a minute; what comes from more of them is counted together. */
const maxAddresses = 1_000;
const failures = processGlobal("failed-sign-ins", () => ({ byAddress: new Map<string | null, Gathered>() }));

/**
 * Counts a failed sign-in or token. Somebody who guesses must not fill the trail: `recordFailures` makes one event of
 * all failures of an address within a minute (`gate.md` W12).
 */
export function noteFailure(headers: Headers, proof: FailedProof, now = Date.now()): void {
  const { byAddress } = failures;
  const from = findClientAddress(headers);
  const address = byAddress.has(from) || byAddress.size < maxAddresses ? from : null;
  const gathered = byAddress.get(address) ?? { since: now, count: 0, proofs: new Set() };
  gathered.count += 1;
  gathered.proofs.add(proof);
  byAddress.set(address, gathered);
}

/** Records the failures whose minute is over; with `Infinity` as `now`, all of them. */
export async function recordFailures(now = Date.now()): Promise<void> {
  const due = [...failures.byAddress].filter(([, { since }]) => since + minuteMs <= now);
  if (due.length === 0) return;
  for (const [address] of due) failures.byAddress.delete(address);
  const writer = { actor: "public", route: "login", requestId: null };
  const events = due.map(([address, { count, proofs, since }]) => ({
    action: "login.fail",
    target: "login",
    after: { address, count, proofs: [...proofs], since: new Date(since).toISOString() },
  }));
  try {
    await recordAuditEvent(writer, ...events);
  } catch (error) {
    for (const [address, { since, count, proofs }] of due) {
      const more = failures.byAddress.get(address);
      const all = new Set([...proofs, ...(more?.proofs ?? [])]);
      failures.byAddress.set(address, { since, count: count + (more?.count ?? 0), proofs: all });
    }
    throw error;
  }
}
