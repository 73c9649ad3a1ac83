import "server-only";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import {
  type ListChanges,
  type PermissionFacts,
  planList,
  planPermissions,
  type Stored,
} from "@/lib/apps/directory/lists/list-rules";
import type { DirectoryCategory, DirectoryService } from "@/lib/apps/directory/answers/list-schemas";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { CategoryModel } from "@/models/directory/category";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";

/** How many elements a list has, and how many documents it changed. */
export interface ListCounts {
  readonly listed: number;
  readonly added: number;
  readonly changed: number;
}

/**
 * Brings the stored permissions and their relations in line with the directory's (`directory.md` 3.4), all or nothing.
 * Nothing is written when nothing changed.
 *
 * @throws DirectoryRefused, DirectoryFailed, DatabaseUnavailable: nothing has been changed
 */
export function syncPermissions(
  context: WriteContext,
  client: Pick<DirectoryClient, "permissions">,
  report: TaskReport,
): Promise<ListCounts> {
  return syncList("permissions", { context, report, read: () => client.permissions() }, async (tx, listed) => {
    const changes = planPermissions(await loadPermissions(tx), listed);
    const ids = await tx.nextIds("permissions", changes.added.length);
    // The compiled policies read the list again when one document carries a later revision.
    const stamp = (facts: PermissionFacts) => ({ ...facts, parents: [...facts.parents], revision: tx.revision });
    await PermissionModel.insertMany(
      changes.added.map((facts, index) => ({ ...stamp(facts), _id: ids[index] })),
      { session: tx.session },
    );
    await PermissionModel.bulkWrite(
      changes.changed.map(({ id, facts }) => ({ updateOne: { filter: { _id: id }, update: { $set: stamp(facts) } } })),
      { session: tx.session },
    );
    if (isEmpty(changes)) tx.keepRevision();
    return changes;
  });
}

/** The same for service types and the permissions linked to them (3.5); those not reported stay as they are. */
export function syncServiceTypes(
  context: WriteContext,
  client: Pick<DirectoryClient, "services">,
  report: TaskReport,
): Promise<ListCounts> {
  return syncList("service types", { context, report, read: () => client.services() }, async (tx, listed) => {
    // No policy table is made from them: apps hold what was selected for them.
    tx.keepRevision();
    const changes = planList(await loadServiceTypes(tx), listed, ({ name }) => name);
    const ids = await tx.nextIds("service_types", changes.added.length);
    const copy = (facts: DirectoryService) => ({ ...facts, permissions: [...facts.permissions] });
    await ServiceTypeModel.insertMany(
      changes.added.map((facts, index) => ({ ...copy(facts), _id: ids[index] })),
      { session: tx.session },
    );
    await ServiceTypeModel.bulkWrite(
      changes.changed.map(({ id, facts }) => ({ updateOne: { filter: { _id: id }, update: { $set: copy(facts) } } })),
      { session: tx.session },
    );
    return changes;
  });
}

/** The same for categories (3.3); those not reported stay as they are. */
export function syncCategories(
  context: WriteContext,
  client: Pick<DirectoryClient, "categories">,
  report: TaskReport,
): Promise<ListCounts> {
  return syncList("categories", { context, report, read: () => client.categories() }, async (tx, listed) => {
    // No policy table is made from them: apps hold the categories they were delivered with.
    tx.keepRevision();
    const changes = planList(await loadCategories(tx), listed, ({ id }) => id);
    await CategoryModel.insertMany(
      changes.added.map(({ id, ...facts }) => ({ ...facts, _id: id })),
      { session: tx.session },
    );
    await CategoryModel.bulkWrite(
      changes.changed.map(({ id, facts: { name, displayName } }) => ({
        updateOne: { filter: { _id: id }, update: { $set: { name, displayName } } },
      })),
      { session: tx.session },
    );
    return changes;
  });
}

interface ListSource<T> {
  readonly context: WriteContext;
  readonly report: TaskReport;
  readonly read: () => Promise<readonly T[]>;
}

/** Reads a list to its end, then stores what it changes in one transaction. */
async function syncList<T, F>(
  words: string,
  { context, report, read }: ListSource<T>,
  store: (tx: Transaction, listed: readonly T[]) => Promise<ListChanges<F>>,
): Promise<ListCounts> {
  report.phase(`reading ${words}`);
  const listed = await read();
  report.phase(`storing ${words}`);
  const counts = await inTransaction(context, async (tx) => {
    const changes = await store(tx, listed);
    const numbers = { added: changes.added.length, changed: changes.changed.length };
    if (!isEmpty(changes)) tx.record({ action: "directory.update", target: words, after: numbers });
    return { listed: listed.length, ...numbers };
  });
  report.progress(listed.length, listed.length);
  return counts;
}

function isEmpty({ added, changed }: ListChanges<unknown>): boolean {
  return added.length + changed.length === 0;
}

async function loadPermissions({ session }: Transaction): Promise<Stored<PermissionFacts>[]> {
  const documents = await PermissionModel.find({}, {}, { session }).sort({ name: 1 }).lean();
  return documents.map(({ _id, name, type, displayName = null, functionId = null, parents, isActive }) => ({
    id: _id,
    facts: { name, type, displayName, functionId, parents, isActive },
  }));
}

async function loadServiceTypes({ session }: Transaction): Promise<Stored<DirectoryService>[]> {
  const documents = await ServiceTypeModel.find({}, {}, { session }).sort({ name: 1 }).lean();
  return documents.map(({ _id, name, displayName, permissions }) => ({
    id: _id,
    facts: { name, displayName, permissions },
  }));
}

async function loadCategories({ session }: Transaction): Promise<Stored<DirectoryCategory>[]> {
  const documents = await CategoryModel.find({}, {}, { session }).sort({ _id: 1 }).lean();
  return documents.map(({ _id, name, displayName = null }) => ({ id: _id, facts: { id: _id, name, displayName } }));
}
