import { requireWriterMay } from "@/lib/platform/auth/may";
import { type Gate, putUpGate, type Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { readAppsIn, readSnapshotIn } from "@/lib/policy/snapshot/load-snapshot";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { createPacer } from "@/lib/platform/process/pacer";
import { findFreeze, isFrozen, refuseFrozen } from "@/lib/records/publishing/freeze";
import {
  needsSecondPerson,
  planOf,
  refusalEvent,
  refuseAlone,
  requireAsApproved,
} from "@/lib/records/publishing/second-person";
import { type Direction, digestOf, directionOf } from "@/lib/releases/widening";
import { changedApps } from "@/lib/releases/review/app-comparison";
import { type Proposal, proposalOf } from "@/lib/records/publishing/record-release";
import { readState } from "@/lib/releases/review/changes";
import { loadSettings } from "@/lib/platform/settings";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import type { ProductionWrite } from "@/models/written";

/** The only gate before production (`gate.md` W1 to W5). The server's own changes need no permission or approval. */
const gate: Gate<PolicySnapshot | null> = {
  look: async (tx) => ((await mayAsk(tx)) ? readState(tx) : null),
  async pass(tx, writes, before) {
    const proposal = proposalOf(tx);
    const isOfRecords = writes.some(({ kind }) => kind === "records");
    requireRelease(tx, proposal, writes);
    if (before === null) return;
    const asked = await asksOf(tx, proposal, isOfRecords);
    if (!asked.isAny) return;
    const after = isOfRecords
      ? await readSnapshotIn(tx.session, tx.revision, null)
      : await readAppsIn(tx.session, tx.revision, before);
    const builds = chosenBuilds(loadSettings());
    const isAutomatic = writes.some(({ kind }) => kind === "automatic");
    const direction = isAutomatic ? "wider" : await directionOf(before, after, builds, createPacer());
    refuse(tx, proposal, { before, after, direction, asked, isOfRecords });
  },
  tell(error, { role, canAsk }) {
    // Tasks log what they wait for, and retry.
    if (!(error instanceof AppError) || role === undefined || (canAsk && planOf(error) !== null)) return null;
    return refusalEvent(error.message);
  },
};
putUpGate(gate);

/** Every PRODUCTION record belongs to a release. The initial data of an empty database gets its release afterwards. */
function requireRelease({ writer }: Transaction, { release }: Proposal, writes: readonly ProductionWrite[]): void {
  const record = writes.find(({ kind }) => kind === "records");
  if (record === undefined || release !== null || writer.actor === "setup") return;
  throw new Error(`${record.collection}: PRODUCTION records were written without a release`);
}

/** Whether the gate may have anything to check, judged before the first write. Usually not, and then nothing is read. */
async function mayAsk(tx: Transaction): Promise<boolean> {
  const { role, approval } = tx.writer;
  const isUnfit = role !== undefined && !mayPublish(role);
  return isUnfit || approval !== undefined || needsSecondPerson() || isFrozen(await findFreeze(tx.session), tx.now);
}

const mayPublish = (role: string | null) => role === "admin" || role === "publisher";

interface Asks {
  readonly isAny: boolean;
  readonly right: boolean;
  readonly freeze: Awaited<ReturnType<typeof findFreeze>>;
  readonly secondPerson: boolean;
}

async function asksOf(tx: Transaction, { release, isCallOff = false }: Proposal, isOfRecords: boolean): Promise<Asks> {
  const { role } = tx.writer;
  const isPerson = role !== undefined;
  const right = isPerson && !mayPublish(role);
  const isFreezable = tx.writer.actor !== "setup" && release !== "first";
  // A scheduled release counts as a person's, though a task publishes it.
  const isByPerson = isPerson || (release !== null && isFreezable);
  const found = isFreezable ? await findFreeze(tx.session) : null;
  const freeze = isFrozen(found, tx.now) ? found : null;
  const isApproved = tx.writer.approval !== undefined;
  // Whoever could not stop a rollout alone would have to watch it go on.
  const secondPerson =
    isApproved || (isByPerson && !isCallOff && needsSecondPerson(isOfRecords ? "publication" : "app"));
  return { isAny: right || freeze !== null || secondPerson, right, freeze, secondPerson };
}

interface Change {
  readonly before: PolicySnapshot;
  readonly after: PolicySnapshot;
  readonly direction: Direction;
  readonly asked: Asks;
  readonly isOfRecords: boolean;
}

/** Checks in the order of W2: permission, freeze, second person. */
function refuse(tx: Transaction, proposal: Proposal, change: Change): void {
  const { before, after, direction, asked, isOfRecords } = change;
  const { approval } = tx.writer;
  const isReturn = proposal.release === "return";
  const isNarrower = direction === "narrower" || (isReturn && direction === "other");
  const apps = changedApps(before, after);
  const items = proposal.items ?? apps;
  // The change must be exactly what was approved, even if it no longer gives any app more.
  if (approval !== undefined) requireAsApproved(approval.digest, digestOf(before, after, items));
  if (isNarrower || (!isOfRecords && direction === "other" && apps.length === 0)) return;
  if (asked.right) requireWriterMay(tx.writer, "publish");
  if (asked.freeze !== null && !isReturn) refuseFrozen(asked.freeze, tx.now);
  if (!asked.secondPerson || (!isOfRecords && direction !== "wider")) return;
  if (approval !== undefined) return;
  const digest = digestOf(before, after, items);
  // Undefined: no check has run.
  const findings = proposal.findings === undefined ? [] : proposal.findings;
  refuseAlone({ items, findings, digest }, isOfRecords ? "publication" : "app");
}
