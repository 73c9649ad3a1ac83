import "server-only";
import { AppError } from "@/lib/platform/errors";
import type { ChangedAppAnswer, ChangesAnswer } from "@/lib/content/releases/answer-schema";
import { nameApps, describeEffect, reviewItems } from "@/lib/gate/publish/review";
import { describeItems } from "@/lib/gate/publish/changed-items";
import { loadState } from "@/lib/gate/publish/state";
import { compareApp } from "@/lib/gate/review/app-comparison";
import { loadSettings } from "@/lib/platform/settings";
import { chosenBuilds } from "@/lib/labels/head-units";
import type { ItemKey } from "@/lib/labels/release-items";

/**
 * Reviews staged items as if they were published (rules L5 to L7). Nothing is written.
 *
 * @param items undefined: everything; items that are not staged are left out
 */
export async function findChanges(items: readonly ItemKey[] | undefined): Promise<ChangesAnswer> {
  const review = await reviewItems(await loadState(), items);
  return { items: await describeItems(review), checks: [...review.checks], effect: await describeEffect(review) };
}

/**
 * Tells what publishing staged items would do to one app in production (rule L7).
 *
 * @throws AppError 404 for an unknown uuid
 */
export async function findChangedApp(uuid: string, items: readonly ItemKey[] | undefined): Promise<ChangedAppAnswer> {
  const { before, after } = await reviewItems(await loadState(), items);
  const uuidKey = uuid.toLowerCase();
  const app = after.apps.byUuid(uuidKey);
  if (app === undefined) throw new AppError("notFound", "There is no app of this uuid");
  const [named] = await nameApps([app]);
  const builds = chosenBuilds(loadSettings());
  return { uuid: app.uuid, name: named?.name ?? app.uuid, ...compareApp(before, after, uuidKey, builds) };
}
