import "server-only";
import type { Model } from "mongoose";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import type { DirectoryPermission } from "@/lib/apps/directory/answers/list-schemas";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { CategoryModel } from "@/models/directory/category";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";

/** `directory.md` 3.4. All or nothing. Throws DirectoryRefused, DirectoryFailed, DatabaseUnavailable. */
export function syncPermissions(
  context: WriteContext,
  client: Pick<DirectoryClient, "permissions">,
  report: TaskReport,
) {
  return syncList("permissions", { context, report, read: () => client.permissions() }, async (tx, listed) => {
    const documents = await PermissionModel.find({}, {}, { session: tx.session }).sort({ name: 1 }).lean();
    const stored = documents.map(({ _id, name, type, displayName = null, functionId = null, parents, isActive }) => {
      return { id: _id, facts: { name, type, displayName, functionId, parents, isActive } };
    });
    const changes = planPermissions(stored, listed);
    const ids = await tx.nextIds("permissions", changes.added.length);
    // Compiled policies reload the list if any document has a later revision.
    await store(tx, PermissionModel, changes, ids, (facts) => ({ ...facts, revision: tx.revision }));
    if (isEmpty(changes)) tx.keepRevision();
    return changes;
  });
}

/** `directory.md` 3.5. Types that are not reported stay unchanged. */
export function syncServiceTypes(context: WriteContext, client: Pick<DirectoryClient, "services">, report: TaskReport) {
  return syncList("service types", { context, report, read: () => client.services() }, async (tx, listed) => {
    // Policy tables do not depend on them, because apps store their own selection.
    tx.keepRevision();
    const documents = await ServiceTypeModel.find({}, {}, { session: tx.session }).sort({ name: 1 }).lean();
    const stored = documents.map(({ _id, name, displayName, permissions }) => {
      return { id: _id, facts: { name, displayName, permissions } };
    });
    const changes = planList(stored, listed, ({ name }) => name);
    const ids = await tx.nextIds("service_types", changes.added.length);
    await store(tx, ServiceTypeModel, changes, ids, (facts) => facts);
    return changes;
  });
}

/** `directory.md` 3.3. Categories that are not reported stay unchanged. */
export function syncCategories(context: WriteContext, client: Pick<DirectoryClient, "categories">, report: TaskReport) {
  return syncList("categories", { context, report, read: () => client.categories() }, async (tx, listed) => {
    // Policy tables do not depend on them, because apps store the categories they arrived with.
    tx.keepRevision();
    const documents = await CategoryModel.find({}, {}, { session: tx.session }).sort({ _id: 1 }).lean();
    const stored = documents.map(({ _id: id, name, displayName = null }) => ({ id, facts: { id, name, displayName } }));
    const changes = planList(stored, listed, ({ id }) => id);
    const ids = changes.added.map(({ id }) => id);
    await store(tx, CategoryModel, changes, ids, ({ name, displayName }) => ({ name, displayName }));
    return changes;
  });
}

interface ListSource<T> {
  readonly context: WriteContext;
  readonly report: TaskReport;
  readonly read: () => Promise<readonly T[]>;
}

async function syncList<T, F>(
  words: string,
  { context, report, read }: ListSource<T>,
  change: (tx: Transaction, listed: readonly T[]) => Promise<ListChanges<F>>,
) {
  report.phase(`reading ${words}`);
  const listed = await read();
  report.phase(`storing ${words}`);
  const counts = await inTransaction(context, async (tx) => {
    const changes = await change(tx, listed);
    const numbers = { added: changes.added.length, changed: changes.changed.length };
    if (!isEmpty(changes)) tx.record({ action: "directory.update", target: words, after: numbers });
    return { listed: listed.length, ...numbers };
  });
  report.progress(listed.length, listed.length);
  return counts;
}

async function store<T, F>(
  { session }: Transaction,
  model: Model<T>,
  { added, changed }: ListChanges<F>,
  ids: readonly number[],
  toDocument: (facts: F) => object,
): Promise<void> {
  await model.insertMany(
    added.map((facts, index) => ({ ...toDocument(facts), _id: ids[index] })),
    { session },
  );
  await model.bulkWrite(
    changed.map(({ id, facts }) => ({ updateOne: { filter: { _id: id }, update: { $set: toDocument(facts) } } })),
    { session },
  );
}

function isEmpty({ added, changed }: ListChanges<unknown>): boolean {
  return added.length + changed.length === 0;
}

interface PermissionFacts {
  readonly name: string;
  readonly type: DirectoryPermission["type"];
  readonly displayName: string | null;
  readonly functionId: number | null;
  readonly parents: readonly string[];
  readonly isActive: boolean;
}
interface Stored<T> {
  readonly id: number;
  readonly facts: T;
}
interface ListChanges<T> {
  readonly added: readonly T[];
  readonly changed: readonly Stored<T>[];
}

/** `directory.md` 3.4: those not listed become inactive. A parent must be stored or in the list. */
function planPermissions(
  stored: readonly Stored<PermissionFacts>[],
  listed: readonly DirectoryPermission[],
): ListChanges<PermissionFacts> {
  const known = new Set([...stored.map(({ facts }) => facts.name), ...listed.map(({ key }) => key)]);
  const wanted = listed.map(({ key, parents, ...facts }): PermissionFacts => ({
    ...facts,
    name: key,
    parents: parents.filter((parent) => known.has(parent)).toSorted(byCodeUnit),
    isActive: true,
  }));
  const reported = new Set(listed.map(({ key }) => key));
  const gone = stored.flatMap(({ facts }) =>
    reported.has(facts.name) ? [] : [{ ...facts, parents: [], isActive: false }],
  );
  return planList(stored, [...wanted, ...gone], ({ name }) => name);
}

/** Of elements with the same identity the first one counts; the order of nested lists is irrelevant. */
function planList<T extends object>(
  stored: readonly Stored<T>[],
  wanted: readonly T[],
  identify: (facts: T) => string | number,
): ListChanges<T> {
  const known = new Map(stored.map((document) => [identify(document.facts), document]));
  const added: T[] = [];
  const changed: Stored<T>[] = [];
  const seen = new Set<string | number>();
  for (const facts of wanted) {
    const key = identify(facts);
    if (seen.has(key)) continue;
    seen.add(key);
    const before = known.get(key);
    if (before === undefined) added.push(facts);
    else if (textOf(before.facts) !== textOf(facts)) changed.push({ id: before.id, facts });
  }
  return { added, changed };
}

function textOf(facts: object): string {
  const members: [string, unknown][] = Object.entries(facts).toSorted(([a], [b]) => byCodeUnit(a, b));
  return JSON.stringify(members.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]));
}
