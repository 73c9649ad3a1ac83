import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import type { NewContents } from "@/lib/gate/review/production";
import type { StagedChange } from "@/lib/gate/review/changes";
import { type CheckLevel, type ItemKey, quoteItem } from "@/lib/labels/release-items";

/** What checks look at (rule L6): production as it is, and as it would be. */
export interface ReviewCase {
  readonly before: PolicySnapshot;
  readonly after: PolicySnapshot;
  /** What production gets. */
  readonly contents: NewContents;
  /** What waits in staging and is not chosen: remedies are among it. */
  readonly waiting: readonly StagedChange[];
  /** When it would be published, in milliseconds since 1970. */
  readonly now: number;
}

/** A check of an item, with the one step that mends it. */
export function aCheck(
  level: CheckLevel,
  rule: string,
  { family, key }: ItemKey,
  message: string,
  remedy: ReleaseCheckJson["remedy"] = null,
): ReleaseCheckJson {
  return { level, rule, family, key, message, remedy };
}

/** A check of an app, which people know by its name and not by its key. */
export function anAppCheck(level: CheckLevel, rule: string, app: SnapshotApp, message: string): ReleaseCheckJson {
  return { ...aCheck(level, rule, { family: "app", key: app.uuid }, message), title: nameOfApp(app) };
}

/** The step that publishes another item together with the chosen ones; null when that does not wait in staging. */
export function including({ waiting }: Pick<ReviewCase, "waiting">, item: ItemKey): ReleaseCheckJson["remedy"] {
  const { family, key } = item;
  const isWaiting = waiting.some((change) => change.family === family && change.key === key);
  return isWaiting ? { sentence: `Include ${quoteItem(item)}`, family, key } : null;
}
