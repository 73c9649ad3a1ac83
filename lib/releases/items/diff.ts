import "server-only";
import { findHeads, findHeadsAsOf, recordFamilies } from "@/lib/platform/db/heads";
import { createPacer } from "@/lib/platform/process/pacer";
import type { ItemDiffJson } from "@/lib/releases/answer-schema";
import { isThere, listFieldChanges } from "@/lib/releases/fields";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findNewestRelease, loadReleases, requireRelease } from "@/lib/releases/queries";
import type { CompareWith } from "@/lib/releases/schema";
import { type ItemFamily, nameChange, type RecordItemFamily } from "@/lib/vocabulary/release-items";
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
  return typeof to === "number" && to < number ? diffStates(to, number) : diffStates(number, to);
}

/** Like `diffRelease`, in this direction. Backwards without apps, because a rollback leaves their versions as they are. */
export async function diffStates(before: CompareWith, after: CompareWith): Promise<ItemDiffJson[]> {
  const pace = createPacer();
  const items: ItemDiffJson[] = [];
  for (const family of namesOf(recordFamilies)) {
    const [old, now] = [await findIds(family, before), await findIds(family, after)];
    const keys = distinct([...old.keys(), ...now.keys()]);
    const spans = keys.map((key) => [key, { beforeId: old.get(key) ?? null, afterId: now.get(key) ?? null }] as const);
    items.push(...(await diffSpans(family, spans, pace)));
  }
  const [first, last] = [await numberOf(before), await numberOf(after)];
  return [...items, ...(await diffSpans("app", await loadAppSpans(first, last), pace))];
}

async function findIds(family: RecordItemFamily, state: CompareWith): Promise<ReadonlyMap<string, number>> {
  const heads = await (typeof state === "number" ? findHeadsAsOf(family, state) : findHeads(family, state));
  return new Map(heads.map(({ key, id }) => [key, id]));
}

const numberOf = (state: CompareWith) => (typeof state === "number" ? state : findNewestRelease());

interface Span {
  /** Null: there is none. */
  readonly beforeId: number | null;
  readonly afterId: number | null;
}

async function diffSpans(
  family: ItemFamily,
  spans: Iterable<readonly [key: string, span: Span]>,
  pace: () => Promise<void>,
): Promise<ItemDiffJson[]> {
  const differing = [...spans]
    .filter(([, { beforeId, afterId }]) => beforeId !== afterId)
    .toSorted(([a], [b]) => byCodeUnit(a, b));
  const ids = differing.flatMap(([, { beforeId, afterId }]) => [beforeId ?? [], afterId ?? []].flat());
  const bodies = await loadBodies(family, ids);
  const bodyOf = (id: number | null) => bodies.get(id ?? 0)?.body ?? null;
  const items: ItemDiffJson[] = [];
  for (const [key, { beforeId, afterId }] of differing) {
    const [before, after] = [bodyOf(beforeId), bodyOf(afterId)];
    const fields = listFieldChanges(before, after);
    const change = nameChange(isThere(before), isThere(after));
    if (fields.length > 0) items.push({ family, key, change, fields });
    await pace();
  }
  return items;
}

/** Per app: the version before the first release after `after`, and the version since the last one up to `upTo`. */
export async function loadAppSpans(after: number, upTo: number): Promise<ReadonlyMap<string, Span>> {
  const spans = new Map<string, Span>();
  for (const { items } of await loadReleases(after, upTo)) {
    for (const { family, key, beforeId, afterId } of items) {
      if (family === "app") spans.set(key, { ...(spans.get(key) ?? { beforeId }), afterId });
    }
  }
  return spans;
}
