import "server-only";
import { blacklistApplications, deleteApplications } from "@/lib/applications/removal";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { removeJobs } from "@/lib/directory/application-queue";

/** Notifications that say all there is to know, so that the directory need not be asked. */
export type FinalAction = "DELETE" | "BLACKLIST";

interface Waiting {
  readonly context: WriteContext;
  readonly action: FinalAction;
  readonly uuid: string;
  readonly resolve: (isChanged: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const changes: Readonly<
  Record<FinalAction, (tx: Transaction, uuids: readonly string[]) => Promise<readonly string[]>>
> = {
  DELETE: deleteApplications,
  BLACKLIST: blacklistApplications,
};
/** Notifications applied in one transaction. */
const mostTogether = 100;

let waiting: Waiting[] = [];
let isRunning = false;

/**
 * Deletes or blacklists an app, and ends the work that waits for it (rules D1, D2, Q4). Notifications that come while
 * others are being applied are applied together afterwards: a thousand of them are a dozen transactions.
 *
 * @returns whether anything changed
 * @throws DatabaseUnavailable
 */
export function applyFinalNotification(context: WriteContext, action: FinalAction, uuid: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    waiting.push({ context, action, uuid, resolve, reject });
    if (!isRunning) void applyAll();
  });
}

async function applyAll(): Promise<void> {
  isRunning = true;
  while (waiting.length > 0) {
    const together = waiting.slice(0, mostTogether);
    waiting = waiting.slice(mostTogether);
    try {
      await applyTogether(together);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
  isRunning = false;
}

async function applyTogether(together: readonly Waiting[]): Promise<void> {
  const [first] = together;
  if (first === undefined) return;
  const { actor, route, requestId } = first.context;
  const changed = await inTransaction(
    { actor, route, requestId: together.length === 1 ? requestId : null },
    async (tx) => {
      const news = new Set<string>();
      // The two do not touch each other: a deletion leaves the blacklist flag, and that is all the other one changes.
      for (const action of ["DELETE", "BLACKLIST"] as const) {
        const uuids = [...new Set(together.filter((one) => one.action === action).map(({ uuid }) => uuid))];
        if (uuids.length === 0) continue;
        await removeJobs(tx, uuids);
        for (const uuid of await changes[action](tx, uuids)) news.add(`${action} ${uuid}`);
      }
      if (news.size === 0) tx.keepRevision();
      return news;
    },
  );
  // Of the same notification twice, the first one made the change.
  for (const { action, uuid, resolve } of together) resolve(changed.delete(`${action} ${uuid}`));
}
