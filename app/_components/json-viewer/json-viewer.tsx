"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowUp, Download } from "lucide-react";
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";
import { JsonLine, lineHeight } from "@/app/_components/json-viewer/json-line";
import { JsonPathBar, type JsonLink } from "@/app/_components/json-viewer/json-path-bar";
import { JsonSearch } from "@/app/_components/json-viewer/json-search";
import {
  findMatches,
  resolveDotted,
  toDotted,
  toPointer,
  type JsonPath,
} from "@/app/_components/json-viewer/json-tree";
import { useJsonTree } from "@/app/_components/json-viewer/use-json-tree";

/** From how many pixels on the way back is offered. */
const farFromTop = 480;
/** What is rendered before the browser has measured anything. */
const firstRect = { width: 800, height: 480 };

/** A JSON value as a tree: folding, search, copying and download; only the lines in view are in the page. */
export function JsonViewer({
  value,
  label,
  fileName,
  firstDepth = 1,
  isInAddress = false,
  firstPath = "",
  firstSearch = "",
  linkOf,
  className,
}: Readonly<{
  value: unknown;
  /** What the tree shows, for screen readers. */
  label: string;
  /** Name of the download; none is offered without it. */
  fileName?: string;
  /** How deep the tree is open at first. */
  firstDepth?: number;
  /** Keeps the shown part and the search in the address, as `path` and `q`. */
  isInAddress?: boolean;
  /** The part to show at first, names joined by dots. */
  firstPath?: string;
  firstSearch?: string;
  /** Where a part can be edited. */
  linkOf?: (path: JsonPath) => JsonLink | null;
  /** Sets the height of the tree. */
  className?: string;
}>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [path] = useState(() => resolveDotted(value, firstPath));
  const tree = useJsonTree(value, { depth: firstDepth, path });
  const { rows, active, activeIndex } = tree;
  const [search, setSearch] = useState(firstSearch);
  const [position, setPosition] = useState(0);
  const wanted = useDeferredValue(search);
  const matches = useMemo(() => findMatches(value, wanted), [value, wanted]);
  const matchIds = useMemo(() => new Set(matches.map(toPointer)), [matches]);

  // The rule warns of a compiler that memoizes; none is used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 12,
    initialRect: firstRect,
  });
  const lines = virtual.getVirtualItems();
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // All lines have one height, so where the active one lies needs no measuring.
    const top = activeIndex * lineHeight;
    const isBelow = top + 2 * lineHeight > element.scrollTop + element.clientHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (isBelow && element.clientHeight > 0) element.scrollTop = top + 2 * lineHeight - element.clientHeight;
  }, [activeIndex]);
  useEffect(() => {
    if (isInAddress) writeAddress(active === undefined ? "" : toDotted(active.path), search);
  }, [isInAddress, active, search]);

  function step(by: 1 | -1) {
    // Enter may come before what was typed last has been looked for.
    const found = wanted === search ? matches : findMatches(value, search);
    if (found.length === 0) return;
    const next = position === 0 && by === -1 ? found.length : ((position - 1 + by + found.length) % found.length) + 1;
    setPosition(next);
    const match = found[next - 1];
    if (match) tree.show(match);
  }

  const isScrolled = (virtual.scrollOffset ?? 0) > farFromTop;
  function goToTop() {
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus();
    tree.press("Home");
  }

  return (
    <div className={cn("relative flex min-h-0 flex-col", className)}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <JsonSearch
          text={search}
          count={matches.length}
          position={Math.min(position, matches.length)}
          onChange={(text) => {
            setSearch(text);
            setPosition(0);
          }}
          onStep={step}
        />
        <div className="ml-auto flex flex-wrap items-center gap-1">
          <Button size="sm" variant="ghost" onClick={() => tree.foldTo(1)}>
            Fold all
          </Button>
          <Button size="sm" variant="ghost" onClick={() => tree.foldTo(Infinity)}>
            Unfold all
          </Button>
          {fileName !== undefined && (
            <Button size="sm" onClick={() => downloadJson(value, fileName)}>
              <Download aria-hidden="true" />
              Download
            </Button>
          )}
        </div>
      </div>
      {active && <JsonPathBar path={active.path} value={active.value} link={linkOf?.(active.path) ?? null} />}
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={
          active && lines.some(({ index }) => index === activeIndex) ? `${id}${active.id}` : undefined
        }
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !tree.press(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className="min-h-0 grow overflow-auto rounded-b-card py-1 focus-visible:-outline-offset-2"
      >
        <div className="relative w-max min-w-full" style={{ height: virtual.getTotalSize() }}>
          <div style={{ transform: `translateY(${lines[0]?.start ?? 0}px)` }}>
            {lines.map(({ index }) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <JsonLine
                  key={row.id}
                  row={row}
                  id={`${id}${row.id}`}
                  isActive={index === activeIndex}
                  isMatch={matchIds.has(row.id)}
                  onPick={() => tree.toggle(row)}
                />
              );
            })}
          </div>
        </div>
      </div>
      {isScrolled && (
        <Button size="sm" className="absolute right-5 bottom-3 bg-raised shadow-popup" onClick={goToTop}>
          <ArrowUp aria-hidden="true" />
          Back to top
        </Button>
      )}
    </div>
  );
}

/** Keeps the shown part and the search in the address; the router of Next learns of it, and loads nothing. */
function writeAddress(path: string, search: string): void {
  const address = new URL(window.location.href);
  for (const [name, text] of [
    ["path", path],
    ["q", search],
  ] as const) {
    if (text === "") address.searchParams.delete(name);
    else address.searchParams.set(name, text);
  }
  if (address.href !== window.location.href) window.history.replaceState(null, "", address);
}

/** Has the browser store a value as a file. */
function downloadJson(value: unknown, fileName: string): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
