import "server-only";
import { AppError } from "@/lib/platform/errors";
import type {
  ChangedAppAnswer,
  ChangedAppsAnswer,
  ChangesAnswer,
  ChangedItemJson,
  ItemContentJson,
  ItemContentsAnswer,
} from "@/lib/releases/answer-schema";
import { listChangedApps, reviewItems, describeReview, type ChosenReview } from "@/lib/releases/publish/review";
import { chooseChanges, listStagedChanges, loadState, type StagedChange } from "@/lib/releases/review/changes";
import { compareApp } from "@/lib/releases/review/app-comparison";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import { loadSettings } from "@/lib/platform/settings";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import { type ItemKey, type ItemFamily, itemFamilies } from "@/lib/vocabulary/release-items";
import { listFieldChanges } from "@/lib/releases/fields";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findOrigins } from "@/lib/releases/items/origins";
import { buildPublished, contentsOf } from "@/lib/releases/review/production";
import { buildTablePart } from "@/lib/releases/review/table-parts";
import { distinct } from "@/lib/vocabulary/order";
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
export async function describeApp({ before, after }: States, uuid: string): Promise<ChangedAppAnswer> {
  const uuidKey = uuid.toLowerCase();
  const app = after.apps.byUuid(uuidKey);
  if (app === undefined) throw new AppError("notFound", "There is no app with this uuid");
  const names = await loadAppNames([app.uuid]);
  const builds = chosenBuilds(loadSettings());
  return { uuid: app.uuid, name: names.get(app.uuid) ?? nameOfApp(app), ...compareApp(before, after, uuidKey, builds) };
}

/** What differs in these items (undefined: in all), as if all were published. */
export async function findItemContents(items: readonly ItemKey[] | undefined): Promise<ItemContentsAnswer> {
  const before = await loadState();
  const staged = listStagedChanges(before);
  const after = buildPublished(before, contentsOf(before, staged), Date.now());
  const changes = chooseChanges(staged, items);
  const contents: ItemContentJson[] = [];
  for (const family of distinct(changes.map((change) => change.family))) {
    const ofFamily = changes.filter((change) => change.family === family);
    const bodies = await loadBodiesOf(family, ofFamily);
    for (const change of ofFamily)
      contents.push({ family, key: change.key, ...contentOf(change, bodies, { before, after }) });
  }
  return { items: contents };
}

/** Characters of the differences in one answer. Those that do not fit are read item by item. */
const longestContent = 512 * 1024;

async function describeItems(review: ChosenReview): Promise<ChangedItemJson[]> {
  const described: ChangedItemJson[] = [];
  let left = longestContent;
  const fit = (content: ItemContent) => {
    const length = left > 0 ? JSON.stringify(content).length : Infinity;
    if (length > left) return { fields: null, table_fields: null };
    left -= length;
    return content;
  };
  for (const family of itemFamilies) described.push(...(await describeFamily(family, review, fit)));
  return described;
}

type ItemContent = Pick<ItemContentJson, "fields" | "table_fields">;
type States = Pick<ChosenReview, "before" | "after">;
type Bodies = Awaited<ReturnType<typeof loadBodies>>;

function loadBodiesOf(family: ItemFamily, changes: readonly StagedChange[]): Promise<Bodies> {
  return loadBodies(
    family,
    changes.flatMap(({ id, productionId }) => [id, ...(productionId === null ? [] : [productionId])]),
  );
}

const bodyIn = (bodies: Bodies, id: number | null) => bodies.get(id ?? 0)?.body ?? null;

async function describeFamily(
  family: ItemFamily,
  review: ChosenReview,
  fit: (content: ItemContent) => Pick<ChangedItemJson, "fields" | "table_fields">,
): Promise<ChangedItemJson[]> {
  const changes = review.changes.filter((change) => change.family === family);
  if (changes.length === 0) return [];
  const bodies = await loadBodiesOf(family, changes);
  const origins = await findOrigins(family, [...bodies.values()]);
  return changes.map((change) => {
    const { key, id, productionId } = change;
    const origin = origins.get(id);
    return {
      ...{ family, key, id, production_id: productionId, change: change.change },
      title: bodies.get(id)?.title ?? key,
      summary: summarizeChange(family, bodyIn(bodies, productionId), bodyIn(bodies, id)),
      author: origin?.author ?? null,
      at: origin?.at ?? new Date(0).toISOString(),
      ...fit(contentOf(change, bodies, review)),
    };
  });
}

function contentOf(change: StagedChange, bodies: Bodies, states: States): ItemContent {
  return {
    fields: listFieldChanges(bodyIn(bodies, change.productionId), bodyIn(bodies, change.id)),
    table_fields: compareTables(change, states),
  };
}

function compareTables(item: StagedChange, { before, after }: States): ItemContent["table_fields"] {
  const partOf = (snapshot: States["before"]) => {
    const part = buildTablePart(snapshot, item, loadSettings());
    return typeof part === "object" ? part : null;
  };
  return listFieldChanges(partOf(before), partOf(after));
}
