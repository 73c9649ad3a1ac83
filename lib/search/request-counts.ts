import "server-only";
import { readRevision } from "@/lib/db/revision";
import { sharedState } from "@/lib/db/shared-state";
import { ApplicationModel } from "@/models/application";

interface Kept {
  counts: Map<string, Promise<number>>;
  revision: number;
  /** In milliseconds since 1970. */
  since: number;
}

/** Longer than it takes to notice a revision, short enough for a database that was put in place of another. */
const keepMs = 60_000;
const mostKept = 1000;
const kept = sharedState<Kept>("search-request-counts", () => ({ counts: new Map(), revision: -1, since: 0 }));

/**
 * Counts the apps whose newest version requests a permission, as the console's list of apps shows them. There is no
 * index for that: each permission is counted once for each revision, not with every key that somebody types.
 */
export async function countRequests(keys: readonly string[], now = Date.now()): Promise<number[]> {
  const revision = await readRevision();
  if (revision !== kept.revision || now - kept.since >= keepMs || kept.counts.size > mostKept) {
    Object.assign(kept, { counts: new Map(), revision, since: now } satisfies Kept);
  }
  const { counts } = kept;
  return Promise.all(
    keys.map((key) => {
      const known = counts.get(key);
      if (known) return known;
      const counting = ApplicationModel.countDocuments({ isLatest: true, "permissions.key": key }).exec();
      counts.set(key, counting);
      // A failure is told to who asked, and not kept.
      counting.catch(() => counts.delete(key));
      return counting;
    }),
  );
}
