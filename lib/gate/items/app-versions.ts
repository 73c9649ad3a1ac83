import "server-only";
import { loadApplicationReference } from "@/lib/apps/applications/reference";
import { buildApplicationJson, hiddenMembers } from "@/lib/apps/applications/wire";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import type { HistoryPage } from "@/lib/content/records/history";
import type { Author } from "@/lib/platform/db/transaction";
import { summarizeChange } from "@/lib/content/releases/summary";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";

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

/**
 * Tells the versions of an app, newest first, each with who decided about it last (`releases.md` L4, L13).
 *
 * @param paging.cursor only what is older than this id
 * @throws DatabaseUnavailable
 */
export async function appHistory(
  uuid: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: number | undefined },
): Promise<HistoryPage> {
  await requireDatabase();
  const older = cursor === undefined ? {} : { _id: { $lt: cursor } };
  const columns = { approvalStatus: 1, storedAt: 1 } as const;
  const found = await ApplicationModel.find({ uuid, ...older }, columns)
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean();
  const bodies = await loadComparableVersions(found.map(({ _id }) => _id));
  const bodyOf = (id: number | undefined) => bodies.find((version) => version.id === id)?.body ?? null;
  const shown = found.slice(0, limit);
  const authors = await findDeciders(shown.map(({ _id }) => _id));
  const entries = shown.map(({ _id: id, approvalStatus, storedAt }, index) => ({
    id,
    status: approvalStatus === "ACCEPTED" ? ("PRODUCTION" as const) : ("STAGING" as const),
    release: null,
    isDeleted: false,
    at: storedAt,
    author: authors.get(id) ?? null,
    summary: summarizeChange("app", bodyOf(found[index + 1]?._id), bodyOf(id)),
  }));
  return { entries, nextCursor: found.length > limit ? (shown.at(-1)?._id ?? null) : null };
}

/** Who decided last about each of these versions. */
async function findDeciders(ids: readonly number[]): Promise<Map<number, Author & { readonly action: string }>> {
  const targets = new Map(ids.map((id) => [`application:${id}`, id]));
  const events = await AuditEventModel.find({ target: { $in: [...targets.keys()] }, action: "applications.action" })
    .sort({ _id: 1 })
    .lean();
  return new Map(
    events.map(({ target, actor, displayName, isNameVerified, action }) => [
      targets.get(target) ?? 0,
      { actor, displayName: displayName ?? null, isNameVerified, action },
    ]),
  );
}
