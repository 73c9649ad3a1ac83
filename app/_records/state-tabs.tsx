import { useSearchParams } from "next/navigation";
import { changeAddress } from "@/app/_components/list/list-address";
import { type LinkTab, LinkTabs } from "@/app/_components/ui/link-tabs";
import type { RecordKind } from "@/app/_records/kinds";
import type { RecordState } from "@/lib/content/records/listing";
import type { Environment } from "@/lib/labels/vocabulary";

const tabs: readonly (readonly [state: RecordState, words: string])[] = [
  ["all", "All"],
  ["modified", "Not in production"],
  ["new", "New"],
  ["edited", "Modified"],
  ["deleted", "Deletion pending"],
  ["production", "In production"],
];

/** The records of staging by where they stand; in production all are in one state. */
export function StateTabs({
  kind: { section, word },
  environment,
  current,
  counts,
  more,
}: Readonly<{
  kind: Pick<RecordKind, "section" | "word">;
  environment: Environment;
  /** Null: something else is open. */
  current: RecordState | null;
  counts: Readonly<Record<RecordState, number>>;
  more: readonly LinkTab[];
}>) {
  const address = useSearchParams();
  const isStaging = environment === "staging";
  if (!isStaging && more.length === 0) return null;
  const states = (isStaging ? tabs : tabs.slice(0, 1)).map(([state, label]): LinkTab => {
    const href = changeAddress(section, address, { state: state === "all" ? null : state, panel: null, view: null });
    const isCurrent = current !== null && (!isStaging || state === current);
    return { label, href, isCurrent, count: counts[state] };
  });
  return <LinkTabs label={`Views of the ${word}s`} tabs={[...states, ...more]} />;
}
