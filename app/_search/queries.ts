import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import type { StoredGroup } from "@/lib/records/groups/rules";
import type { SearchAnswer } from "@/app/_search/schema";
import { type Corpus, loadCorpus, type PermissionName } from "@/app/_search/corpus";
import { rank } from "@/app/_search/rank";
import { buildSharedFilter } from "@/lib/apps/applications/console/console-filter";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import { type ApplicationFilter, escapeRegex, listBlocked } from "@/lib/apps/applications/find-versions";
import { ApplicationModel } from "@/models/application";

/** Of each kind; the lists have the rest. */
const maxOfKind = 6;

/** `q` is not empty. Records come from staging. */
export async function searchEverything(q: string): Promise<SearchAnswer> {
  await requireDatabase();
  const [applications, rest] = await Promise.all([
    findBestApplications(q, maxOfKind),
    loadCorpus().then((corpus) => searchCorpus(corpus, q)),
  ]);
  return { applications, ...rest };
}

async function searchCorpus(corpus: Corpus, q: string): Promise<Omit<SearchAnswer, "applications">> {
  const groups = rank(corpus.groups, q, ({ name, description }) => [name, description]);
  const nodes = rank(corpus.nodes, q, ({ name, key }) => [name, key]);
  const permissions = rank(corpus.permissions, q, ({ name }) => [name]);
  return {
    groups: cut(groups, ({ id, name, description, status, isDeleted }) => ({
      id,
      name,
      description,
      status,
      is_deleted: isDeleted,
    })),
    records: corpus.names.map(({ family, keys }) => {
      return {
        family,
        ...cut(
          rank(keys, q, (key) => [key]),
          (key) => ({ key }),
        ),
      };
    }),
    vehicle_data: cut(nodes, ({ id, rootId, name, key, path }) => ({ id, root_id: rootId, name, key, path })),
    permissions: {
      items: await Promise.all(
        permissions.slice(0, maxOfKind).map(async (one) => ({
          ...one,
          groups: cut(listContaining(corpus.groups, one), ({ id, name }) => ({ id, name })),
          application_total: await corpus.countRequests(one.name),
        })),
      ),
      total: permissions.length,
    },
  };
}

function cut<T, U>(found: readonly T[], toItem: (one: T) => U): { items: U[]; total: number } {
  return { items: found.slice(0, maxOfKind).map(toItem), total: found.length };
}

function listContaining(groups: readonly StoredGroup[], { name, type }: PermissionName): StoredGroup[] {
  return groups.filter(({ rpcs }) =>
    rpcs.some((rpc) => (type === "RPC" ? rpc.name === name : rpc.parameters.includes(name))),
  );
}

/** If more apps match, those with the text in their names are ranked first. */
const maxApps = 200;
const columns = { uuid: 1, name: 1, vendorName: 1, approvalStatus: 1 } as const;

/** Apps with the text in the name come first, then those with it in the vendor or uuid. */
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

/** The index finds names that begin with the text, so that many other matches cannot crowd them out. */
async function findByName(q: string, maxLookedAt: number) {
  const text = escapeRegex(q.toLowerCase());
  const [beginning, holding] = await Promise.all([
    findSome({ isLatest: true, nameKey: { $regex: `^${text}` } }, maxLookedAt),
    findSome({ isLatest: true, nameKey: { $regex: text } }, maxLookedAt),
  ]);
  return [...beginning, ...holding];
}
