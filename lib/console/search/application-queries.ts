import "server-only";
import { type ApplicationFilter, buildSharedFilter, listBlocked } from "@/lib/apps/applications/console/console-filter";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import { escapeRegex } from "@/lib/apps/applications/list-page";
import type { SearchAnswer } from "@/lib/console/search/schema";
import { rank } from "@/lib/console/search/rank";
import { ApplicationModel } from "@/models/application";

/** Up to so many apps are looked at one by one; of more, those with the search in their name. */
const maxApps = 200;
const columns = { uuid: 1, name: 1, vendorName: 1, approvalStatus: 1 } as const;

/**
 * Searches apps as their list in the console does, by all that it searches, and puts those first whose name, then whose
 * vendor or uuid holds the text.
 *
 * @param limit how many at most
 */
export async function findBestApplications(
  q: string,
  limit: number,
  maxLookedAt = maxApps,
): Promise<SearchAnswer["applications"]> {
  const blocked = await listBlocked();
  const filter = await buildSharedFilter(consoleListQuery.parse({ state: "all", q }), blocked, Date.now());
  const found = await findSome(filter, maxLookedAt + 1);
  const isAll = found.length <= maxLookedAt;
  const candidates = isAll ? found : [...(await findByName(q, maxLookedAt)), ...found];
  const distinct = [...new Map(candidates.map((app) => [app._id, app])).values()];
  const best = rank(distinct, q, ({ name, vendorName, uuid }) => [name, vendorName, uuid], { keepsRest: true });
  const isBlocked = new Set(blocked);
  return {
    items: best.slice(0, limit).map(({ _id, uuid, name, vendorName, approvalStatus }) => ({
      id: _id,
      uuid,
      name,
      vendor: vendorName,
      state: isBlocked.has(uuid) ? "BLOCKED" : approvalStatus,
    })),
    total: isAll ? found.length : null,
  };
}

const findSome = (filter: ApplicationFilter, limit: number) =>
  ApplicationModel.find(filter, columns).limit(limit).batchSize(limit).lean();

/** Names that begin with the text come from the index; they must not be missed among very many that hold it. */
async function findByName(q: string, maxLookedAt: number) {
  const text = escapeRegex(q.toLowerCase());
  const [beginning, holding] = await Promise.all([
    findSome({ isLatest: true, nameKey: { $regex: `^${text}` } }, maxLookedAt),
    findSome({ isLatest: true, nameKey: { $regex: text } }, maxLookedAt),
  ]);
  return [...beginning, ...holding];
}
