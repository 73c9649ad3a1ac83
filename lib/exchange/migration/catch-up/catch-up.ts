import "server-only";
import { inDryRun } from "@/lib/platform/db/dry-run";
import { inTransaction, type Transaction } from "@/lib/platform/db/transaction";
import { planContainers, planFlags, planVersions } from "@/lib/exchange/migration/catch-up/apps";
import { planRecords, storeChecked } from "@/lib/exchange/migration/catch-up/records";
import { digestsOf, createRun, type Run } from "@/lib/exchange/migration/items";
import { convert, movedContext, MoveRefused } from "@/lib/exchange/migration/migrate";
import type { SdlData } from "@/lib/exchange/migration/convert/tables";
import { MovedItemModel } from "@/models/database/moved-item";

/**
 * Migrates, in one transaction, what was decided on an sdl_server since the first run (`exchange.md` X10a). Keeps what
 * changed only here; intermediate edits are not migrated. Returns what differs but stays, and null as release if
 * production does not change. Throws MoveRefused if something changed differently on both servers, or if head units
 * would refuse the result.
 */
export async function catchUp(data: SdlData, languages: ReadonlySet<string>, options: { readonly dryRun: boolean }) {
  // Before the transaction, to keep it short. Flags are not stored in this form, so their revision does not matter.
  const converted = convert(data, languages, 0);
  const run = options.dryRun ? inDryRun : inTransaction;
  return run(movedContext, (tx) => carryChanges(tx, converted));
}

/** Throws Error with a sentence unless the database was filled from an sdl_server. */
export async function requireMoved(): Promise<void> {
  if ((await MovedItemModel.findOne().lean()) === null) throw new Error(notMoved);
}
export const notMoved =
  "The database of these settings was not filled by import-sdl-server, so there is nothing to catch up with: look at MONGODB_URI and DATA_DIR, or import everything";

async function carryChanges(tx: Transaction, { documents, losses }: ReturnType<typeof convert>) {
  const { session } = tx;
  const base = new Map((await MovedItemModel.find({}, {}, { session }).lean()).map(({ _id, digest }) => [_id, digest]));
  const run = createRun(tx, base, documents);
  const records = await planRecords(run);
  await planVersions(run);
  await planFlags(run);
  await planContainers(run);
  refuseConflicts(run.conflicts);
  const release = await storeChecked(tx, records);
  for (const store of run.writes) await store();
  await updateBase(run);
  if (run.changes.length === 0) tx.keepRevision();
  else {
    const after = { changes: run.changes.length, losses: losses.length };
    tx.record({ action: "import.sdl_server", target: "database", after });
  }
  return { changes: run.changes, kept: run.kept, release, losses };
}

function refuseConflicts(conflicts: Run["conflicts"]): void {
  if (conflicts.length === 0) return;
  const things = conflicts.length === 1 ? "1 thing was" : `${conflicts.length} things were`;
  throw new MoveRefused(
    `${things} changed on both servers since the last run; nothing was imported. Make each the same on both servers, then run this again`,
    conflicts.map(({ what, reason }) => `${what}: ${reason}`),
  );
}

/** The next run compares with the current state of the other server. */
async function updateBase({ tx: { session }, base, documents }: Run): Promise<void> {
  const now = digestsOf(documents);
  // Flags that are off leave no trace. Everything else deleted on the other server stays here.
  const gone = [...base.keys()].filter((id) => id.startsWith("app:") && !now.has(id));
  const changed = [...now].filter(([id, digest]) => base.get(id) !== digest);
  if (gone.length > 0) await MovedItemModel.deleteMany({ _id: { $in: gone } }, { session });
  if (changed.length === 0) return;
  await MovedItemModel.bulkWrite(
    changed.map(([_id, digest]) => ({ updateOne: { filter: { _id }, update: { $set: { digest } }, upsert: true } })),
    { session },
  );
}
