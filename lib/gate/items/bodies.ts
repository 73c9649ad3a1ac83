import "server-only";
import type { ClientSession } from "mongoose";
import { loadAppNames } from "@/lib/apps/applications/app-names";
import { comparableOf } from "@/lib/content/records/family";
import { recordItems } from "@/lib/content/families";
import { loadComparableVersions } from "@/lib/gate/items/app-versions";
import { type ItemFamily, titleOf } from "@/lib/labels/release-items";

/** A version of an item for comparisons and sentences. */
export interface ItemBody {
  readonly id: number;
  /** The item that it is a version of. */
  readonly key: string;
  /** Null: it is damaged. */
  readonly body: object | null;
  /** What its audit events are about. */
  readonly target: string;
  /** What it is called. */
  readonly title: string;
}

/**
 * Reads versions of items of one family, by id; never with a secret. Unknown ids are left out.
 *
 * @param session reads inside that transaction; versions of apps are what was there before it
 */
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
  const versions = await loadComparableVersions(ids);
  const names = await loadAppNames(versions.map(({ uuid }) => uuid));
  return new Map(
    versions.map(({ id, uuid, body }) => [
      id,
      { id, key: uuid, body, target: `application:${id}`, title: names.get(uuid) ?? uuid },
    ]),
  );
}
