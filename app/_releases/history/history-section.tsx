"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { ItemKey } from "@/lib/labels/release-items";

const HistoryPanel = dynamic(() => import("./history-panel").then((m) => m.HistoryPanel), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-40" />,
});

/** The history of an item as a part of its page, read once it is asked for; nothing can be brought back here. */
export function HistorySection({ item, description }: Readonly<{ item: ItemKey; description: string }>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Section
      title="History"
      id="history"
      description={description}
      actions={!isShown && <Button onClick={() => setIsShown(true)}>Show history</Button>}
      flush
    >
      {isShown && <HistoryPanel item={item} canRestore={false} />}
    </Section>
  );
}
