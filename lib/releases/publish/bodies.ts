import "server-only";
import type { ApplicationJson } from "@/lib/applications/answer-schema";
import { loadApplications } from "@/lib/applications/queries";
import { comparableOf } from "@/lib/records/family";
import { recordFamilyOf } from "@/lib/releases/publish/families";
import type { ItemFamily } from "@/lib/releases/vocabulary";

/** A version of an item for comparisons and sentences. */
export interface ItemBody {
  /** Null: it is damaged. */
  readonly body: object | null;
  /** What its audit events are about. */
  readonly target: string;
  /** What it is called, where that is not its key. */
  readonly title: string | null;
}

/** Reads versions of items of one family, by id; never with a secret. */
export async function loadBodies(family: ItemFamily, ids: readonly number[]): Promise<Map<number, ItemBody>> {
  if (ids.length === 0) return new Map();
  if (family === "app") {
    const versions = await loadApplications(ids);
    return new Map(
      versions.map((version) => [
        version.id,
        { body: bodyOf(version), target: `application:${version.id}`, title: version.name },
      ]),
    );
  }
  const records = recordFamilyOf[family];
  const title = family === "module_config" ? "Module config" : null;
  return new Map(
    (await records.load(ids)).map((record) => [
      record.id,
      { body: comparableOf(records, record), target: records.targetOf(record), title },
    ]),
  );
}

/** What of a version its developer or an administrator decides; not what is the app's, or a fact of storing it. */
function bodyOf(version: ApplicationJson): object {
  const {
    id: _id,
    uuid: _uuid,
    short_uuid: _short,
    status: _status,
    approval_status: _approval,
    denial_message: _denial,
    version_id: _version,
    created_ts: _created,
    updated_ts: _updated,
    is_auto_approved_enabled: _auto,
    is_blacklisted: _blocked,
    blacklisted_ts: _blockedAt,
    is_administrator_app: _administrator,
    allow_unknown_rpc_passthrough: _passthrough,
    hybrid_app_preference: _hybrid,
    ...body
  } = version;
  return body;
}
