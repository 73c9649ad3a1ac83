"use client";
import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { Section } from "@/app/_components/ui/section";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import type { ItemKey } from "@/lib/vocabulary/release-items";

const HistoryPanel = partOnDemand(() => import("./history-panel").then((m) => m.HistoryPanel), "m-4 h-40");

/** An editor, and the item's history as a second tab. Unsaved input stays while the history is open. */
export function EditorTabs({
  item,
  children,
}: Readonly<{
  /** Null: not stored yet, so without a history. */
  item: ItemKey | null;
  children: ReactNode;
}>) {
  const pathname = usePathname();
  const query = useSearchParams();
  const isHistory = item !== null && query.get("tab") === "history";
  const hrefOf = (tab: string | null) => {
    const next = new URLSearchParams(query);
    if (tab === null) next.delete("tab");
    else next.set("tab", tab);
    return `${pathname}?${next.toString()}`;
  };
  return (
    <>
      {item !== null && (
        <LinkTabs
          label="Parts of the editor"
          isSamePage
          tabs={[
            { label: "Content", href: hrefOf(null), isCurrent: !isHistory },
            { label: "History", href: hrefOf("history"), isCurrent: isHistory },
          ]}
        />
      )}
      {isHistory && (
        <section aria-label="History" className="rounded-card border border-line bg-surface">
          <HistoryPanel item={item} canRestore />
        </section>
      )}
      <div hidden={isHistory}>{children}</div>
    </>
  );
}

/** The history of an item as a part of its page; read-only. */
export function HistorySection({ item, description }: Readonly<{ item: ItemKey; description: string }>) {
  return (
    <Section title="History" id="history" description={description} flush>
      <HistoryPanel item={item} canRestore={false} />
    </Section>
  );
}
