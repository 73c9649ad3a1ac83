import "server-only";
import { findHeads, findHeadsAsOf, recordFamilies } from "@/lib/platform/db/heads";
import { createPacer } from "@/lib/platform/process/pacer";
import type { ItemDiffJson } from "@/lib/releases/answer-schema";
import { isThere, listFieldChanges } from "@/lib/releases/fields";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findNewestRelease, loadReleases, requireRelease } from "@/lib/releases/queries";
import type { CompareWith } from "@/lib/releases/schema";
import { nameChange, type RecordItemFamily } from "@/lib/vocabulary/release-items";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { namesOf } from "@/lib/vocabulary/members";

/**
 * Compares production as of a release with another state (`releases.md` L1, L3), by default that of the previous
 * release. For apps, only changes made by releases are listed. AppError 404 for an unknown release.
 */
export async function diffRelease(number: number, compareWith?: CompareWith): Promise<ItemDiffJson[]> {
  await requireRelease(number);
  if (typeof compareWith === "number") await requireRelease(compareWith);
  const to = compareWith ?? number - 1;
  const [before, after] = typeof to === "number" && to < number ? [to, number] : [number, to];
  const pace = createPacer();
  const items: ItemDiffJson[] = [];
  for (const family of namesOf(recordFamilies)) items.push(...(await diffFamily(family, before, after, pace)));
  return [...items, ...(await diffApps(before, typeof after === "number" ? after : await findNewestRelease()))];
}

async function diffFamily(
  family: RecordItemFamily,
  before: number,
  after: CompareWith,
  pace: () => Promise<void>,
): Promise<ItemDiffJson[]> {
  const old = toMap(await findHeadsAsOf(family, before));
  const now = toMap(typeof after === "number" ? await findHeadsAsOf(family, after) : await findHeads(family, after));
  const keys = distinct([...old.keys(), ...now.keys()]).filter((key) => old.get(key) !== now.get(key));
  const wanted = keys.flatMap((key) => [old.get(key) ?? [], now.get(key) ?? []].flat());
  const bodies = await loadBodies(family, wanted);
  const bodyOf = (id = 0): object | null => bodies.get(id)?.body ?? null;
  const items: ItemDiffJson[] = [];
  for (const key of keys.toSorted(byCodeUnit)) {
    items.push(...diffBodies({ family, key }, bodyOf(old.get(key)), bodyOf(now.get(key))));
    await pace();
  }
  return items;
}

const toMap = (heads: readonly { readonly key: string; readonly id: number }[]) =>
  new Map(heads.map(({ key, id }) => [key, id]));

function diffBodies(
  item: Pick<ItemDiffJson, "family" | "key">,
  before: object | null,
  after: object | null,
): ItemDiffJson[] {
  const fields = listFieldChanges(before, after);
  if (fields.length === 0) return [];
  return [{ ...item, change: nameChange(isThere(before), isThere(after)), fields }];
}

interface AppSpan {
  readonly beforeId: number | null;
  afterId: number | null;
}

/** Per app: the version before the first release after `after`, and the version since the last one up to `upTo`. */
export async function loadAppSpans(after: number, upTo: number): Promise<ReadonlyMap<string, AppSpan>> {
  const spans = new Map<string, AppSpan>();
  for (const { items } of await loadReleases(after, upTo)) {
    for (const { family, key, beforeId, afterId } of items) {
      if (family !== "app") continue;
      const span = spans.get(key) ?? { beforeId, afterId };
      span.afterId = afterId;
      spans.set(key, span);
    }
  }
  return spans;
}

async function diffApps(after: number, upTo: number): Promise<ItemDiffJson[]> {
  const spans = await loadAppSpans(after, upTo);
  const ids = [...spans.values()].flatMap(({ beforeId, afterId }) => [beforeId ?? [], afterId ?? []].flat());
  const bodies = await loadBodies("app", ids);
  const bodyOf = (id: number | null) => bodies.get(id ?? 0)?.body ?? null;
  return [...spans]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .flatMap(([key, { beforeId, afterId }]) => diffBodies({ family: "app", key }, bodyOf(beforeId), bodyOf(afterId)));
}
