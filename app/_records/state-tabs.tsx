"use client";
import { useSearchParams } from "next/navigation";
import { changeAddress } from "@/app/_components/list/list-address";
import { type LinkTab, LinkTabs } from "@/app/_components/ui/link-tabs";
import type { Environment } from "@/lib/words/vocabulary";

const stateWords = {
  all: "All",
  modified: "Not in production",
  new: "New",
  edited: "Modified",
  deleted: "Deletion pending",
  production: "In production",
} as const;

const states = ["all", "modified", "new", "edited", "deleted", "production"] as const;

/** How many records are in each state. */
export type StateCounts = Readonly<Partial<Record<(typeof states)[number], number>>>;

/** The records of staging by where they stand; in production all are in one state. */
export function StateTabs({
  family: { path, words },
  environment,
  current,
  counts,
  more,
}: Readonly<{
  family: { readonly path: string; readonly words: string };
  environment: Environment;
  /** Null: something else is open. */
  current: keyof StateCounts | null;
  counts: StateCounts;
  /** Tabs of other things. */
  more: readonly LinkTab[];
}>) {
  const address = useSearchParams();
  const isStaging = environment === "staging";
  const shown = isStaging ? current : current && "all";
  const tabs = states.flatMap((state): LinkTab[] => {
    const count = counts[state];
    if (count === undefined || (!isStaging && state !== "all")) return [];
    const href = changeAddress(path, address, { state: state === "all" ? null : state, panel: null });
    return [{ label: stateWords[state], href, isCurrent: state === shown, count }];
  });
  return isStaging || more.length > 0 ? <LinkTabs label={`Views of the ${words}`} tabs={[...tabs, ...more]} /> : null;
}
