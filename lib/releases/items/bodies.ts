import "server-only";
import type { ClientSession } from "mongoose";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { comparableOf } from "@/lib/records/store/family";
import { recordItems } from "@/lib/records/families";
import { type ItemFamily, titleOf } from "@/lib/vocabulary/release-items";
import { loadApplicationReference } from "@/lib/apps/applications/reference";
import { buildApplicationJson, hiddenMembers } from "@/lib/apps/applications/wire";
import { ApplicationModel } from "@/models/application";

export interface ItemBody {
  readonly id: number;
  readonly key: string;
  /** Null: damaged. */
  readonly body: object | null;
  readonly target: string;
  readonly title: string;
}

/** Reads versions of items of one family by id, without secrets; skips unknown ids. */
export async function loadBodies(
  family: ItemFamily,
  ids: readonly number[],
  session?: ClientSession,
): Promise<Map<number, ItemBody>> {
  if (ids.length === 0) return new Map();
  if (family === "app") return loadVersions(ids);
  const records = recordItems[family];
  return new Map(
    (await records.load(ids, session)).map((record) => {
      const { id } = record;
      const key = records.keyOf(record);
      const title = titleOf({ family, key });
      return [id, { id, key, body: comparableOf(records, record), target: records.targetOf(record), title }];
    }),
  );
}

async function loadVersions(ids: readonly number[]): Promise<Map<number, ItemBody>> {
  const versions = await ApplicationModel.find({ _id: { $in: ids } }, hiddenMembers).lean();
  const reference = await loadApplicationReference();
  const names = await loadAppNames(versions.map(({ uuid }) => uuid));
  return new Map(
    versions.map((version) => {
      const { _id: id, uuid: key } = version;
      const { services, category, categories, countries, ...json } = buildApplicationJson(version, null, reference);
      const body = {
        ...Object.fromEntries(Object.entries(json).filter(([name]) => !omitted.has(name))),
        category: category.display_name,
        permissions: json.permissions.map(({ key: name, hmi_level }) => ({ key: name, hmi_level })),
        categories: categories.map(({ display_name: name }) => ({ name })),
        countries: countries.map(({ iso }) => ({ name: iso })),
        services: services.map(({ name, service_names }) => ({ name, service_names })),
      };
      return [id, { id, key, body, target: `application:${id}`, title: names.get(key) ?? key }];
    }),
  );
}

/** Members that are the same in all versions of an app, stand for another one, or do not come from the app directory. */
const omitted: ReadonlySet<string> = new Set([
  "uuid",
  "short_uuid",
  "category_id",
  "id",
  "created_ts",
  "updated_ts",
  "approval_status",
  "denial_message",
  "is_auto_approved_enabled",
  "is_blacklisted",
  "blacklisted_ts",
  "is_administrator_app",
  "allow_unknown_rpc_passthrough",
  "hybrid_app_preference",
  "priority",
  "encryption_required",
]);
