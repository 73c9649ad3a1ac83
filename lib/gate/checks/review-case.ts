import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import type { NewContents } from "@/lib/gate/review/production";
import type { StagedChange } from "@/lib/gate/review/changes";
import { type CheckLevel, type ItemKey, quoteItem } from "@/lib/labels/release-items";

/** Input of the checks (rule L6): production now, and after publishing. */
export interface ReviewCase {
  readonly before: PolicySnapshot;
  readonly after: PolicySnapshot;
  /** What production gets. */
  readonly contents: NewContents;
  /** Staged changes that were not chosen; a remedy may be to include one. */
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
