import "server-only";
import type { ClientSession } from "mongoose";
import type { ApplicationReference } from "@/lib/apps/applications/wire";
import { CategoryModel } from "@/models/directory/category";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";

/** Loads the lists that application records name: permissions, service types and categories, a few hundred in all. */
export async function loadApplicationReference(): Promise<ApplicationReference> {
  const [permissions, types, categories] = await Promise.all([
    PermissionModel.find({}, { _id: 0, name: 1, type: 1, functionId: 1, displayName: 1 }).sort({ name: 1 }).lean(),
    ServiceTypeModel.find({}, { _id: 0, name: 1, displayName: 1, permissions: 1 }).sort({ name: 1 }).lean(),
    CategoryModel.find({}, { displayName: 1 }).sort({ _id: 1 }).lean(),
  ]);
  return {
    permissions: new Map(
      permissions.map(({ name, type, functionId = null, displayName = null }) => [
        name,
        { type, functionId, displayName },
      ]),
    ),
    serviceTypes: new Map(types.map((type) => [type.name, type])),
    categories: new Map(categories.map(({ _id, displayName = null }) => [_id, displayName])),
  };
}

/** Whether a permission can be granted for a service type: the list links the two. */
export async function isLinkedPermission(service: string, permission: string, session: ClientSession) {
  const type = await ServiceTypeModel.findOne({ name: service }, { permissions: 1 }, { session }).lean();
  return type?.permissions.includes(permission) === true;
}
