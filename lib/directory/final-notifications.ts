import "server-only";
import { blacklistApplications, deleteApplications } from "@/lib/applications/removal";
import { gather } from "@/lib/db/gather";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { removeJobs } from "@/lib/directory/application-queue";

/** Notifications that say all there is to know, so that the directory need not be asked. */
export type FinalAction = "DELETE" | "BLACKLIST";

interface Notification {
  readonly context: WriteContext;
  readonly action: FinalAction;
  readonly uuid: string;
}

const changes: Readonly<
  Record<FinalAction, (tx: Transaction, uuids: readonly string[]) => Promise<readonly string[]>>
> = { DELETE: deleteApplications, BLACKLIST: blacklistApplications };
/** Notifications applied in one transaction. */
const mostTogether = 100;

/**
 * Deletes or blacklists an app, and ends the work that waits for it (rules D1, D2, Q4). Notifications that come while
 * others are being applied are applied together afterwards: a thousand of them are a dozen transactions.
 *
 * @returns whether anything changed
 * @throws DatabaseUnavailable
 */
export async function applyFinalNotification(
  context: WriteContext,
  action: FinalAction,
  uuid: string,
): Promise<boolean> {
  const news = await applyTogether({ context, action, uuid });
  // Of the same notification twice, the first one made the change.
  return news.delete(nameOf({ action, uuid }));
}

const nameOf = ({ action, uuid }: Pick<Notification, "action" | "uuid">) => `${action} ${uuid}`;

const applyTogether = gather(mostTogether, async (together: readonly Notification[]) => {
  const { actor = "webhook", route = "", requestId = null } = together[0]?.context ?? {};
  const context = { actor, route, requestId: together.length === 1 ? requestId : null };
  return inTransaction(context, async (tx) => {
    const news = new Set<string>();
    // The two do not touch each other: a deletion leaves the blacklist flag, and that is all the other one changes.
    for (const action of ["DELETE", "BLACKLIST"] as const) {
      const uuids = [...new Set(together.filter((one) => one.action === action).map(({ uuid }) => uuid))];
      if (uuids.length === 0) continue;
      await removeJobs(tx, uuids);
      for (const uuid of await changes[action](tx, uuids)) news.add(nameOf({ action, uuid }));
    }
    if (news.size === 0) tx.keepRevision();
    return news;
  });
});
