import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import { queryBoolean, queryInteger, queryText } from "@/lib/platform/zod/query";
import { recordItems } from "@/lib/records/families";
import { findLastContent, loadNewest } from "@/lib/records/store/queries";
import { findRecordOfNode } from "@/lib/records/vehicle-data/queries";
import { namesOf } from "@/lib/vocabulary/members";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";

export const newestParams = z.object({ family: z.enum(namesOf(recordItems)) });
/** By its key or the id of any of its versions; `gone` also finds an item whose deletion has been published. */
export const newestQuery = z.object({ key: queryText(), id: queryInteger(), gone: queryBoolean() });
export const newestAnswer = z.object({
  record: z.object({ id: z.int().describe("For base_id"), key: z.string(), body: z.looseObject({}) }).nullable(),
});
export type NewestAnswer = z.output<typeof newestAnswer>;

/**
 * The newest version of an item in staging as a body for its save route; of a published deletion, its last content. Throws
 * AppError 400 if nothing says which item.
 */
export async function findNewest(
  { family: name }: z.output<typeof newestParams>,
  { key, id, gone }: z.output<typeof newestQuery>,
): Promise<NewestAnswer> {
  const family = recordItems[name];
  if ((id ?? key) === undefined && family.keyField !== null) throw new AppError("invalid", "key or id is missing");
  const keys = id === undefined ? [key ?? ""] : await findKeys(name, id);
  const [head] = await loadNewest(family, "staging", { keys });
  if (head === undefined) return { record: null };
  const toAnswer = (record: typeof head) => {
    const body = family.toBody(record);
    return { record: body && { id: head.id, key: family.keyOf(head), body: { ...body } } };
  };
  if (head.isDeleted !== true || head.status === "STAGING") return toAnswer(head);
  if (!gone) return { record: null };
  const last = await findLastContent(family, family.keyOf(head));
  const [record = head] = last === null ? [] : await family.load([last]);
  return toAnswer({ ...record, isDeleted: true });
}

async function findKeys(name: RecordItemFamily, id: number): Promise<string[]> {
  // The ids of nodes inside an item are ids of its pages, too.
  const inside = name === "vehicle_data" ? await findRecordOfNode(id) : null;
  const family = recordItems[name];
  return (inside === null ? await family.load([id]) : [inside]).map((record) => family.keyOf(record));
}
