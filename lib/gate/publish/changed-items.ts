import "server-only";
import type { ChangedItemJson } from "@/lib/content/releases/answer-schema";
import { listFieldChanges } from "@/lib/content/releases/fields";
import { loadBodies } from "@/lib/gate/items/bodies";
import { findOrigins } from "@/lib/gate/items/origins";
import type { ChosenReview } from "@/lib/gate/publish/review";
import type { StagedChange } from "@/lib/gate/review/changes";
import { buildTablePart } from "@/lib/gate/review/table-parts";
import { summarizeChange } from "@/lib/content/releases/summary";
import { type ItemFamily, itemFamilies } from "@/lib/labels/release-items";
import { loadSettings } from "@/lib/platform/settings";

/** Describes the items of a review (rule L5): who staged them and when, and what differs by field and in the table. */
export async function describeItems(review: ChosenReview): Promise<ChangedItemJson[]> {
  const described: ChangedItemJson[] = [];
  for (const family of itemFamilies) described.push(...(await describeFamily(family, review)));
  return described;
}

async function describeFamily(family: ItemFamily, review: ChosenReview): Promise<ChangedItemJson[]> {
  const changes = review.changes.filter((change) => change.family === family);
  if (changes.length === 0) return [];
  const bodies = await loadBodies(
    family,
    changes.flatMap(({ id, productionId }) => [id, ...(productionId === null ? [] : [productionId])]),
  );
  const origins = await findOrigins(family, [...bodies.values()]);
  return changes.map((change) => {
    const { key, id, productionId } = change;
    const origin = origins.get(id);
    const after = bodies.get(id)?.body ?? null;
    const before = bodies.get(productionId ?? 0)?.body ?? null;
    return {
      ...{ family, key, id, production_id: productionId, change: change.change },
      title: bodies.get(id)?.title ?? key,
      summary: summarizeChange(family, before, after),
      author: origin?.author ?? null,
      at: origin?.at ?? new Date(0).toISOString(),
      fields: listFieldChanges(before, after),
      table_fields: compareTables(change, review),
    };
  });
}

/** What the compiled table will hold of the item instead. */
function compareTables(item: StagedChange, { before, after }: ChosenReview): ChangedItemJson["table_fields"] {
  const partOf = (snapshot: ChosenReview["before"]) => {
    const part = buildTablePart(snapshot, item, loadSettings());
    return typeof part === "object" ? part : null;
  };
  return listFieldChanges(partOf(before), partOf(after));
}
