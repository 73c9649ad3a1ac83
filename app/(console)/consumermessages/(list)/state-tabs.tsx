"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { changeAddress } from "@/app/_components/list/list-address";
import type { MessageState } from "@/lib/messages/console-schema";
import type { MessageCounts } from "@/lib/messages/overview";

const tabs: readonly (readonly [MessageState | "all", string])[] = [
  ["all", "All"],
  ["modified", "Not in production"],
  ["new", "New"],
  ["edited", "Modified"],
  ["deleted", "Deletion pending"],
  ["production", "In production"],
];

/** The messages of staging by their state, as the tabs of the other lists show theirs. */
export function StateTabs({ current, counts }: Readonly<{ current: MessageState | "all"; counts: MessageCounts }>) {
  const pathname = usePathname();
  const parameters = useSearchParams();
  return (
    <LinkTabs
      label="Views of the messages"
      tabs={tabs.map(([state, label]) => ({
        label,
        href: changeAddress(pathname, parameters, { state: state === "all" ? null : state }),
        isCurrent: state === current,
        count: counts[state],
      }))}
    />
  );
}
