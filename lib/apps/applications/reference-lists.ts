import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import type { Transaction } from "@/lib/platform/db/transaction";
import { CategoryModel } from "@/models/directory/category";
import { ServiceTypeModel } from "@/models/directory/service-type";

/** Stores the categories that versions name and nobody knows yet (rule D6); the directory's own list may come later. */
export async function saveUnknownCategories(
  tx: Transaction,
  versions: readonly NewApplicationVersion[],
): Promise<void> {
  const named = new Map<number, { readonly name: string; readonly displayName: string | null }>();
  for (const { id, name, displayName } of versions.flatMap(({ categories }) => categories)) {
    if (name !== null && !named.has(id)) named.set(id, { name, displayName });
  }
  if (named.size === 0) return;
  const { session } = tx;
  const known = await CategoryModel.find({ _id: { $in: [...named.keys()] } }, { _id: 1 }, { session }).lean();
  for (const { _id } of known) named.delete(_id);
  const unknown = Array.from(named, ([_id, names]) => ({ _id, ...names }));
  if (unknown.length > 0) await CategoryModel.insertMany(unknown, { session });
}

/** Stores the service types that versions provide and nobody knows yet, without permissions (rule D6). */
export async function saveUnknownServiceTypes(
  tx: Transaction,
  versions: readonly NewApplicationVersion[],
): Promise<void> {
  const provided = new Map<string, string>();
  for (const { name, displayName } of versions.flatMap(({ services }) => services)) {
    if (!provided.has(name)) provided.set(name, displayName);
  }
  if (provided.size === 0) return;
  const { session } = tx;
  const known = await ServiceTypeModel.find({ name: { $in: [...provided.keys()] } }, { name: 1 }, { session }).lean();
  for (const { name } of known) provided.delete(name);
  const ids = await tx.nextIds("service_types", provided.size);
  const unknown = Array.from(provided, ([name, displayName], index) => {
    return { _id: ids[index], name, displayName, permissions: [] };
  });
  if (unknown.length > 0) await ServiceTypeModel.insertMany(unknown, { session });
}
