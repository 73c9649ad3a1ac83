import "server-only";
import { requireDatabase } from "@/lib/db/connect";
import { findHeads } from "@/lib/db/heads";
import { readGroups, type StoredGroup } from "@/lib/groups/record-cache";
import { listTakenNames } from "@/lib/messages/console-queries";
import { byLowerCase } from "@/lib/policy/order";
import { isVisible } from "@/lib/records/views";
import { type SearchAnswer } from "@/lib/search/answer-schema";
import { findBestApplications } from "@/lib/search/application-queries";
import { findBestPermissions } from "@/lib/search/permission-queries";
import { rank } from "@/lib/search/rank";
import { loadVehicleDataRecords } from "@/lib/vehicle-data/queries";
import { type VehicleDataNode } from "@/lib/vehicle-data/rules";

/** Of each kind; whoever wants more goes to its list. */
const mostOfKind = 6;

/**
 * Searches everything that the console knows, for its command palette (`pages.md` 1.2). Records are those of staging.
 *
 * @param q trimmed, not empty
 * @throws DatabaseUnavailable
 */
export async function searchEverything(q: string): Promise<SearchAnswer> {
  await requireDatabase();
  const groups = loadGroups();
  const [applications, foundGroups, messages, vehicleData, permissions] = await Promise.all([
    findBestApplications(q, mostOfKind),
    groups.then((all) => findGroups(all, q)),
    findMessages(q),
    findVehicleData(q),
    groups.then((all) => findBestPermissions(q, all, mostOfKind)),
  ]);
  return { applications, groups: foundGroups, messages, vehicle_data: vehicleData, permissions };
}

/** The first ones, and how many there are. */
function cut<T, U>(found: readonly T[], toItem: (one: T) => U): { items: U[]; total: number } {
  return { items: found.slice(0, mostOfKind).map(toItem), total: found.length };
}

async function loadGroups(): Promise<StoredGroup[]> {
  const heads = await findHeads("groups", "staging");
  const groups = await readGroups(heads.map(({ id }) => id));
  return groups.filter((group) => isVisible(group, "staging")).toSorted((a, b) => byLowerCase(a.name, b.name));
}

function findGroups(groups: readonly StoredGroup[], q: string): SearchAnswer["groups"] {
  const found = rank(groups, q, ({ name, description }) => [name, description]);
  return cut(found, ({ id, name, description, status, isDeleted }) => ({
    id,
    name,
    description,
    status,
    is_deleted: isDeleted,
  }));
}

async function findMessages(q: string): Promise<SearchAnswer["messages"]> {
  const names = (await listTakenNames()).filter((one) => one.isVisible).sort((a, b) => byLowerCase(a.name, b.name));
  return cut(
    rank(names, q, ({ name }) => [name]),
    ({ id, name }) => ({ id, category: name }),
  );
}

async function findVehicleData(q: string): Promise<SearchAnswer["vehicle_data"]> {
  const heads = await findHeads("vehicleData", "staging");
  const records = await loadVehicleDataRecords(heads.map(({ id }) => id));
  const nodes = records
    .filter((record) => isVisible(record, "staging"))
    .flatMap((record) => listNodes(record.nodes).map((node) => ({ ...node, rootId: record.id })))
    .sort((a, b) => byLowerCase(a.path, b.path));
  return cut(
    rank(nodes, q, ({ name, key }) => [name, key]),
    ({ id, rootId, name, key, path }) => ({ id, root_id: rootId, name, key, path }),
  );
}

function listNodes(nodes: readonly VehicleDataNode[]) {
  const paths = new Map<number, string>();
  return nodes.map(({ id, parentId, name, key }) => {
    // Parents stand before what is inside of them.
    const above = parentId === null ? undefined : paths.get(parentId);
    const path = above === undefined ? name : `${above}.${name}`;
    paths.set(id, path);
    return { id, name, key, path };
  });
}
