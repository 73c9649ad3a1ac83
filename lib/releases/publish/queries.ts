import "server-only";
import { AppError } from "@/lib/platform/errors";
import type { ChangedAppAnswer, ChangedAppsAnswer, ChangesAnswer, ChangedItemJson } from "@/lib/releases/answer-schema";
import { listChangedApps, reviewItems, describeReview, type ChosenReview } from "@/lib/releases/publish/review";
import { loadState, type StagedChange } from "@/lib/releases/review/changes";
import { compareApp } from "@/lib/releases/review/app-comparison";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import { loadSettings } from "@/lib/platform/settings";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import { type ItemKey, type ItemFamily, itemFamilies } from "@/lib/vocabulary/release-items";
import { listFieldChanges } from "@/lib/releases/fields";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findOrigins } from "@/lib/releases/items/origins";
import { buildTablePart } from "@/lib/releases/review/table-parts";
import { summarizeChange } from "@/lib/releases/summary";

/** Reviews staged items (undefined: all) as if they were published. Writes nothing. */
export async function findChanges(items: readonly ItemKey[] | undefined): Promise<ChangesAnswer> {
  const review = await reviewItems(await loadState(), items);
  return { items: await describeItems(review), ...(await describeReview(review)) };
}

/** The apps that publishing staged items changes, worst first, 100 at a time. */
export async function findChangedApps(items: readonly ItemKey[] | undefined, from: number): Promise<ChangedAppsAnswer> {
  const { risks } = await reviewItems(await loadState(), items);
  return listChangedApps(await risks(), from);
}

/** Describes what publishing staged items does to one app; AppError 404 for an unknown uuid. */
export async function findChangedApp(uuid: string, items: readonly ItemKey[] | undefined): Promise<ChangedAppAnswer> {
  return describeApp(await reviewItems(await loadState(), items), uuid);
}

/** What differs for one app between two states of production; AppError 404 for an unknown uuid. */
export async function describeApp(
  { before, after }: Pick<ChosenReview, "before" | "after">,
  uuid: string,
): Promise<ChangedAppAnswer> {
  const uuidKey = uuid.toLowerCase();
  const app = after.apps.byUuid(uuidKey);
  if (app === undefined) throw new AppError("notFound", "There is no app with this uuid");
  const names = await loadAppNames([app.uuid]);
  const builds = chosenBuilds(loadSettings());
  return { uuid: app.uuid, name: names.get(app.uuid) ?? nameOfApp(app), ...compareApp(before, after, uuidKey, builds) };
}

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

function compareTables(item: StagedChange, { before, after }: ChosenReview): ChangedItemJson["table_fields"] {
  const partOf = (snapshot: ChosenReview["before"]) => {
    const part = buildTablePart(snapshot, item, loadSettings());
    return typeof part === "object" ? part : null;
  };
  return listFieldChanges(partOf(before), partOf(after));
}
