"use client";
import { ArrowDown, ArrowUp, Search } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { textInputClass } from "@/app/_components/fields/input-class";
import { cn } from "@/app/_components/ui/cn";
import { useSearchKey } from "@/app/_components/hooks/use-search-key";
import { formatNumber } from "@/lib/labels/format-number";

/** The search above a tree: a text, how many parts have it, and the ways to the next and the previous one. */
export function JsonSearch({
  text,
  count,
  position,
  onChange,
  onStep,
}: Readonly<{
  text: string;
  count: number;
  /** Which of them is shown, from 1 on; 0 for none. */
  position: number;
  onChange: (text: string) => void;
  onStep: (by: 1 | -1) => void;
}>) {
  function press(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  }
  const field = useRef<HTMLInputElement>(null);
  const hasKey = useSearchKey(field);
  const isSearching = text.trim() !== "";
  return (
    <div role="search" className="flex min-w-0 grow items-center gap-1 sm:max-w-md">
      <label className="relative min-w-0 grow">
        <span className="sr-only">Search names and values</span>
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        />
        <input
          ref={field}
          type="search"
          aria-keyshortcuts={hasKey ? "/" : undefined}
          value={text}
          placeholder="Search names and values"
          className={cn(textInputClass, "pl-8")}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
      </label>
      <IconButton
        icon={ArrowUp}
        label="Previous (Shift+Enter)"
        size="icon-sm"
        disabled={count === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon={ArrowDown}
        label="Next (Enter)"
        size="icon-sm"
        disabled={count === 0}
        onClick={() => onStep(1)}
      />
      <output className="min-w-16 text-table whitespace-nowrap text-muted tabular-nums">
        {isSearching && (count === 0 ? "Not found" : `${formatNumber(position)} of ${formatNumber(count)}`)}
      </output>
    </div>
  );
}
