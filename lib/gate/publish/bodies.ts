import "server-only";
import { loadAppNames } from "@/lib/apps/applications/app-names";
import { comparableOf } from "@/lib/content/records/family";
import { loadComparableVersions } from "@/lib/gate/items/app-versions";
import { recordItems } from "@/lib/gate/items/families";
import type { ItemFamily } from "@/lib/content/releases/vocabulary";

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
  if (family === "app") return loadVersions(ids);
  const records = recordItems[family];
  const title = family === "module_config" ? "Module config" : null;
  return new Map(
    (await records.load(ids)).map((record) => [
      record.id,
      { body: comparableOf(records, record), target: records.targetOf(record), title },
    ]),
  );
}

async function loadVersions(ids: readonly number[]): Promise<Map<number, ItemBody>> {
  const versions = await loadComparableVersions(ids);
  const names = await loadAppNames(versions.map(({ uuid }) => uuid));
  return new Map(
    versions.map(({ id, uuid, body }) => [id, { body, target: `application:${id}`, title: names.get(uuid) ?? null }]),
  );
}
