import type { ClientSession } from "mongoose";
import type { ApplicationReference } from "@/lib/apps/applications/wire";
import { CategoryModel } from "@/models/directory/category";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";
import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import type { Transaction } from "@/lib/platform/db/transaction";

/** Loads the lists that app records refer to: permissions, service types and categories, a few hundred in all. */
export async function loadApplicationReference(): Promise<ApplicationReference> {
  const [permissions, types, categories] = await Promise.all([
    PermissionModel.find({}, { _id: 0, name: 1, type: 1, functionId: 1, displayName: 1 }).sort({ name: 1 }).lean(),
    ServiceTypeModel.find({}, { _id: 0, name: 1, displayName: 1, permissions: 1 }).sort({ name: 1 }).lean(),
    CategoryModel.find({}, { displayName: 1 }).sort({ _id: 1 }).lean(),
  ]);
  return {
    permissions: new Map(permissions.map((permission) => [permission.name, permission])),
    serviceTypes: new Map(types.map((type) => [type.name, type])),
    categories: new Map(categories.map(({ _id, displayName = null }) => [_id, displayName])),
  };
}

export async function isLinkedPermission(service: string, permission: string, session: ClientSession) {
  const type = await ServiceTypeModel.findOne({ name: service }, { permissions: 1 }, { session }).lean();
  return type?.permissions.includes(permission) === true;
}

/** Stores what versions refer to (rule D6); the app directory's own lists may follow later. */
export async function saveUnknownReferences(
  tx: Transaction,
  versions: readonly NewApplicationVersion[],
): Promise<void> {
  await saveUnknownCategories(tx, versions);
  await saveUnknownServiceTypes(tx, versions);
}

async function saveUnknownCategories(tx: Transaction, versions: readonly NewApplicationVersion[]): Promise<void> {
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

async function saveUnknownServiceTypes(tx: Transaction, versions: readonly NewApplicationVersion[]): Promise<void> {
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
