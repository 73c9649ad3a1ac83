import "server-only";
import { loadApplicationReference } from "@/lib/apps/applications/reference";
import { buildApplicationJson, hiddenMembers } from "@/lib/apps/applications/wire";
import { ApplicationModel } from "@/models/application";

/** A version of an app for comparisons, without what is decided about it and about its app. */
export interface ComparableVersion {
  readonly id: number;
  readonly uuid: string;
  readonly body: object;
}

/** Reads versions of apps for comparisons, in no particular order; unknown ids are left out. */
export async function loadComparableVersions(ids: readonly number[]): Promise<ComparableVersion[]> {
  if (ids.length === 0) return [];
  const versions = await ApplicationModel.find({ _id: { $in: ids } }, hiddenMembers).lean();
  const reference = await loadApplicationReference();
  return versions.map((version) => {
    const { services, categories, countries, ...json } = buildApplicationJson(version, null, reference);
    return {
      id: version._id,
      uuid: version.uuid,
      body: {
        ...Object.fromEntries(Object.entries(json).filter(([name]) => !decided.has(name))),
        permissions: json.permissions.map(({ key, hmi_level }) => ({ key, hmi_level })),
        categories: categories.map(({ display_name: name }) => ({ name })),
        countries: countries.map(({ iso }) => ({ name: iso })),
        services: services.map(({ name, service_names: names }) => ({ name, service_names: names })),
      },
    };
  });
}

/** What says nothing of the version that the directory delivered. */
const decided: ReadonlySet<string> = new Set([
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
  "encryption_required",
]);
