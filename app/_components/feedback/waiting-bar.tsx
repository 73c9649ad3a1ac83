"use client";
import { Rocket } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_components/ui/button";
import { formatNumber } from "@/lib/words/format-number";

/** Above a list in staging: how much of it waits, and the way to promote all of it. Absent when nothing waits. */
export function WaitingBar({
  count,
  word,
  words = `${word}s`,
  onPromote,
  children,
}: Readonly<{
  count: number;
  /** What one of them is called, and several. */
  word: string;
  words?: string;
  onPromote: () => void;
  /** What else is to be known. */
  children?: ReactNode;
}>) {
  if (count === 0) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded-card border border-warn-line bg-warn-soft px-3 py-2 text-table">
      <span className="min-w-0 grow">
        <strong className="font-semibold">
          {count === 1 ? `1 ${word} is not in production` : `${formatNumber(count)} ${words} are not in production`}
        </strong>{" "}
        as saved here. {children}
      </span>
      <Button size="sm" variant="primary" needsServer onClick={onPromote}>
        <Rocket aria-hidden="true" />
        Promote all…
      </Button>
    </div>
  );
}
