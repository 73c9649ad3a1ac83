import { raiseSchemaVersion } from "@/lib/platform/db/connection/database-facts";
import { withLock } from "@/lib/platform/db/lock";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { steps as allSteps, type FirstDataOptions, type Step } from "@/lib/exchange/seed/steps";
import { MigrationModel } from "@/models/database/migration";

const context: WriteContext = { actor: "setup", route: "first data", requestId: null };
/** Short, so that a start after a crash need not wait long. The steps are safe even without the lock. */
const lockTtlMs = 5000;

/**
 * Runs the steps of first data that are due (rule B5, `policy-table.md` appendix A), each with its mark in one
 * transaction. The next start completes an interrupted one, and several processes may start at once. Throws if a seed
 * file is missing.
 */
export async function saveFirstData(
  options: FirstDataOptions,
  steps: readonly Step[] = allSteps,
): Promise<readonly string[]> {
  await prepareDatabase();
  return completeFirstData(options, steps);
}

/** Also for a database that is marked as incomplete. */
export async function completeFirstData(
  options: FirstDataOptions,
  steps: readonly Step[] = allSteps,
): Promise<readonly string[]> {
  const done = await runDueSteps(options, steps);
  await raiseSchemaVersion();
  return done;
}

async function runDueSteps(options: FirstDataOptions, steps: readonly Step[]): Promise<readonly string[]> {
  const due = steps.filter((step) => step.applies?.(options) ?? true);
  if ((await findPending(due)).length === 0) return [];
  const locked = await withLock("first data", { ttlMs: lockTtlMs, wait: true }, async () => {
    const done: string[] = [];
    for (const step of await findPending(due)) if (await runStep(step, options)) done.push(step.name);
    return done;
  });
  return locked?.result ?? [];
}

async function findPending(due: readonly Step[]): Promise<Step[]> {
  const marks = await MigrationModel.find({ _id: { $in: due.map(({ number }) => number) } }, { _id: 1 }).lean();
  const done = new Set(marks.map(({ _id }) => _id));
  return due.filter(({ number }) => !done.has(number)).toSorted((a, b) => a.number - b.number);
}

/** False if another process was faster. */
async function runStep(step: Step, options: FirstDataOptions): Promise<boolean> {
  await advance(step);
  return inTransaction(context, async (tx) => {
    const mark = await MigrationModel.findOne({ _id: step.number }, {}, { session: tx.session }).lean();
    if (mark !== null) {
      tx.keepRevision();
      return false;
    }
    await step.run(tx, options);
    const done = { _id: step.number, name: step.name, finishedAt: tx.now };
    await MigrationModel.insertMany([done], { session: tx.session });
    tx.record({ action: "firstData.save", target: `step:${step.number}`, after: step.name });
    return true;
  });
}

/** These transactions do not affect policy tables; that of the step itself raises the revision. */
async function advance(step: Step): Promise<void> {
  let after: number | null = step.advance ? 0 : null;
  while (after !== null) {
    const from: number = after;
    after = await inTransaction(context, async (tx) => {
      tx.keepRevision();
      return (await step.advance?.(tx, from)) ?? null;
    });
  }
}
