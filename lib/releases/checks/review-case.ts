"one per process";

import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { buildPublished, itemsOf, type NewContents } from "@/lib/releases/review/production";
import type { StagedChange } from "@/lib/releases/review/changes";
import { mapLists, snapshotFamilies, snapshotFamily, type SnapshotRecord } from "@/lib/policy/snapshot/families";
import { namesOf } from "@/lib/vocabulary/members";
import { oncePer } from "@/lib/platform/once-per";
import { type CheckLevel, type ItemKey, quoteItem, type RecordItemFamily } from "@/lib/vocabulary/release-items";

export interface ReviewCase {
  readonly before: PolicySnapshot;
  readonly after: PolicySnapshot;
  readonly contents: NewContents;
  readonly waiting: readonly StagedChange[];
  /** Time of publishing, in milliseconds since 1970. */
  readonly now: number;
}

/** A check of an item. `remedy`: the one step that fixes it. */
export function aCheck(
  level: CheckLevel,
  rule: string,
  { family, key }: ItemKey,
  message: string,
  remedy: ReleaseCheckJson["remedy"] = null,
): ReleaseCheckJson {
  return { level, rule, family, key, message, remedy };
}

/** A check of an app, with its name, because people do not know its key. */
export function anAppCheck(level: CheckLevel, rule: string, app: SnapshotApp, message: string): ReleaseCheckJson {
  return { ...aCheck(level, rule, { family: "app", key: app.uuid }, message), title: nameOfApp(app) };
}

/** The remedy of publishing another item along with the chosen ones; null if it is not waiting in staging. */
export function including({ waiting }: Pick<ReviewCase, "waiting">, item: ItemKey): ReleaseCheckJson["remedy"] {
  const { family, key } = item;
  const isWaiting = waiting.some((change) => change.family === family && change.key === key);
  return isWaiting ? { sentence: `Include ${quoteItem(item)}`, family, key } : null;
}

/** Reports which item of a review makes something true of production: `isSo` is true of `after` and false of `before`. */
export type FindCause = (isSo: (state: PolicySnapshot) => boolean) => ItemKey;

/** Leaves out items until the thing is no longer so. Halving keeps the states few; each is built once per review. */
export const causeFinder = oncePer((review: ReviewCase): FindCause => {
  const { before, contents, now } = review;
  const records = listInOrder(contents);
  const [first = itemsOf(contents)[0] ?? { family: "module_config", key: "" }] = records;
  const states = new Map<number, PolicySnapshot>([
    [0, review.after],
    [records.length, before],
  ]);
  const without = (count: number) => {
    const state = states.get(count) ?? buildPublished(before, leaveOut(contents, records.slice(0, count)), now);
    states.set(count, state);
    return state;
  };
  return (isSo) => {
    let [more, fewer] = [records.length, 0];
    while (more - fewer > 1) {
      const middle = (more + fewer) >> 1;
      if (isSo(without(middle))) fewer = middle;
      else more = middle;
    }
    const { family, key } = records[fewer] ?? first;
    return { family, key };
  };
});

interface OrderedItem extends ItemKey {
  readonly family: RecordItemFamily;
  readonly record: SnapshotRecord;
}

/** Deletions of what groups need come first and its additions last, so that no group loses it meanwhile. */
function listInOrder(contents: NewContents): readonly OrderedItem[] {
  const rank = ({ family, record }: OrderedItem) =>
    family === "group" ? 1 : family === "module_config" ? 2 : record.isDeleted === true ? 0 : 3;
  return namesOf(snapshotFamilies)
    .flatMap((family) => {
      const source = snapshotFamily(family);
      return source.listOf(contents).map((record) => ({ family, key: source.keyOf(record), record }));
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

function leaveOut(contents: NewContents, items: readonly OrderedItem[]): NewContents {
  const left = new Set(items.map(({ record }) => record));
  return { ...contents, ...mapLists((source) => source.listOf(contents).filter((record) => !left.has(record))) };
}
