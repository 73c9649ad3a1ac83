import { BadgeCheck, Minus, PenLine, Plus, ArrowRightLeft, Download, Rocket, Sprout, Undo2 } from "lucide-react";
import type { AuthorJson } from "@/lib/releases/answer-schema";
import { Chip } from "@/app/_components/ui/chip";
import { type ItemChange, kindLabels, type ReleaseKind } from "@/lib/vocabulary/release-items";
import { formatNumber } from "@/lib/vocabulary/format-number";

/** The author. A self-chosen name proves nothing; a name from the proxy has a mark. */
export function Author({ author }: Readonly<{ author: AuthorJson | null }>) {
  const isVerified = author?.display_name_verified === true;
  const isSelfDeclared = !isVerified && author?.display_name != null;
  return (
    <span title={isSelfDeclared ? "Self-declared" : undefined} className="inline-flex min-w-0 items-center gap-1">
      <span className="wrap-anywhere">{nameOf(author)}</span>
      {isVerified && (
        <>
          <BadgeCheck aria-hidden="true" className="size-3.5 shrink-0 text-good" />
          <span className="sr-only">(verified)</span>
        </>
      )}
    </span>
  );
}

const changeLooks = {
  add: { tone: "good", icon: Plus, word: "Add" },
  change: { tone: "warn", icon: PenLine, word: "Change" },
  delete: { tone: "bad", icon: Minus, word: "Remove" },
} as const;

export function ChangeMark({ change }: Readonly<{ change: ItemChange }>) {
  const { tone, icon, word } = changeLooks[change];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}

const kindLooks = {
  release: { tone: "accent", icon: Rocket },
  direct: { tone: "calm", icon: ArrowRightLeft },
  return: { tone: "warn", icon: Undo2 },
  import: { tone: "calm", icon: Download },
  first: { tone: "plain", icon: Sprout },
} as const;

export function KindChip({ kind }: Readonly<{ kind: ReleaseKind }>) {
  return <Chip {...kindLooks[kind]}>{kindLabels[kind]}</Chip>;
}

type Changes = readonly { readonly change: ItemChange }[];

/** "3 to add, 5 to change, 1 to remove" */
export function describePlan(items: Changes): string {
  return countChanges(items, ["to add", "to change", "to remove"]) || "Nothing to publish";
}

/** "3 added, 5 changed, 1 removed" */
export function describeDone(items: Changes): string {
  return countChanges(items, ["added", "changed", "removed"]) || "Nothing changed";
}

function countChanges(items: Changes, words: readonly [add: string, change: string, remove: string]): string {
  return (["add", "change", "delete"] as const)
    .map((wanted, index) => [items.filter(({ change }) => change === wanted).length, words[index]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word ?? ""}`)
    .join(", ");
}

/** The author's name; null: not on record. */
function nameOf(author: AuthorJson | null): string {
  if (author === null) return "unknown";
  return author.display_name ?? author.actor;
}

/** Bytes for people: "812 B", "41.3 kB". */
export function describeBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** "+120 B", "−1.2 kB" */
export function describeGrowth(before: number, after: number): string {
  return `${after > before ? "+" : "−"}${describeBytes(Math.abs(after - before))}`;
}
