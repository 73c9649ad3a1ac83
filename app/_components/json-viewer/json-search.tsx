import { ArrowDown, ArrowUp, Search } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { textInputClass } from "@/app/_components/fields/input-class";
import { cn } from "@/app/_components/ui/cn";
import { findMatches, type JsonPath, toPointer } from "@/app/_components/json-viewer/json-tree";
import { useSearchKey } from "@/app/_components/hooks/use-search-key";
import { formatNumber } from "@/lib/vocabulary/format-number";

export function useJsonSearch(value: unknown, first: string, show: (path: JsonPath) => void) {
  const [text, setText] = useState(first);
  const [position, setPosition] = useState(0);
  const wanted = useDeferredValue(text);
  const matches = useMemo(() => findMatches(value, wanted), [value, wanted]);
  const ids = useMemo(() => new Set(matches.map(toPointer)), [matches]);

  function step(by: 1 | -1) {
    // Enter may come before the latest text has been searched.
    const found = wanted === text ? matches : findMatches(value, text);
    const next = position === 0 && by === -1 ? found.length : ((position - 1 + by + found.length) % found.length) + 1;
    const match = found[next - 1];
    if (match === undefined) return;
    setPosition(next);
    show(match);
  }

  return {
    text,
    change: (changed: string) => {
      setText(changed);
      setPosition(0);
    },
    step,
    count: matches.length,
    /** From 1; 0 for none. */
    position: Math.min(position, matches.length),
    ids,
  };
}

export function JsonSearch({
  search: { text, change, step, count, position },
}: Readonly<{ search: ReturnType<typeof useJsonSearch> }>) {
  const field = useRef<HTMLInputElement>(null);
  const hasKey = useSearchKey(() => field.current);
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
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      <IconButton
        icon={ArrowUp}
        label="Previous (Shift+Enter)"
        size="icon-sm"
        disabled={count === 0}
        onClick={() => step(-1)}
      />
      <IconButton icon={ArrowDown} label="Next (Enter)" size="icon-sm" disabled={count === 0} onClick={() => step(1)} />
      <output className="min-w-16 text-table whitespace-nowrap text-muted tabular-nums">
        {isSearching && (count === 0 ? "Not found" : `${formatNumber(position)} of ${formatNumber(count)}`)}
      </output>
    </div>
  );
}
