import dynamic from "next/dynamic";
import { Link } from "@/app/_components/ui/link";
import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { ItemKey } from "@/lib/labels/release-items";

const HistoryPanel = dynamic(() => import("./history-panel").then((m) => m.HistoryPanel), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-40" />,
});

const tabs = [
  ["content", "Content"],
  ["history", "History"],
] as const;

/** An editor and, as a second tab, the history of what it edits. What is typed stays while the history is read. */
export function EditorTabs({
  item,
  children,
}: Readonly<{
  /** Null: it is not stored yet and has no history. */
  item: ItemKey | null;
  children: ReactNode;
}>) {
  const pathname = usePathname();
  const query = useSearchParams();
  if (item === null) return children;
  const current = query.get("tab") === "history" ? "history" : "content";
  const hrefOf = (tab: string) => {
    const next = new URLSearchParams(query);
    if (tab === "content") next.delete("tab");
    else next.set("tab", tab);
    return `${pathname}?${next.toString()}`;
  };
  return (
    <>
      <nav aria-label="Parts of the editor" className="mb-4 border-b border-line">
        <ul className="flex gap-1">
          {tabs.map(([name, label]) => (
            <li key={name}>
              <Link
                href={hrefOf(name)}
                scroll={false}
                aria-current={name === current ? "page" : undefined}
                onNavigate={(event) => {
                  // The page stays as it is: nothing has to be fetched for it.
                  event.preventDefault();
                  window.history.pushState(null, "", hrefOf(name));
                }}
                className={cn(
                  "-mb-px flex h-9 items-center border-b-2 px-2.5 text-table font-medium no-underline -outline-offset-2 pointer-coarse:h-11",
                  name === current ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
                )}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {current === "history" && (
        <section aria-label="History" className="rounded-card border border-line bg-surface">
          <HistoryPanel item={item} canRestore />
        </section>
      )}
      <div hidden={current === "history"}>{children}</div>
    </>
  );
}
