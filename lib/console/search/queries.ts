import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import type { StoredGroup } from "@/lib/content/groups/rules";
import type { SearchAnswer } from "@/lib/console/search/schema";
import { findBestApplications } from "@/lib/console/search/application-queries";
import { type Corpus, loadCorpus, type PermissionName } from "@/lib/console/search/corpus";
import { rank } from "@/lib/console/search/rank";

/** Of each kind; whoever wants more goes to its list. */
const maxOfKind = 6;

/**
 * Searches everything that the console knows, for its command palette. Records are those of staging.
 *
 * @param q trimmed, not empty
 */
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

/** The first ones, and how many there are. */
function cut<T, U>(found: readonly T[], toItem: (one: T) => U): { items: U[]; total: number } {
  return { items: found.slice(0, maxOfKind).map(toItem), total: found.length };
}

/** As the console's list of groups narrows itself to an RPC or a parameter. */
function listContaining(groups: readonly StoredGroup[], { name, type }: PermissionName): StoredGroup[] {
  return groups.filter(({ rpcs }) =>
    rpcs.some((rpc) => (type === "RPC" ? rpc.name === name : rpc.parameters.includes(name))),
  );
}
