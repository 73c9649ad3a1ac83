import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowUp, Download } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { JsonLine, lineHeight } from "@/app/_components/json-viewer/json-line";
import { JsonPathBar, type JsonLink } from "@/app/_components/json-viewer/json-path-bar";
import { JsonSearch, useJsonSearch } from "@/app/_components/json-viewer/json-search";
import { resolveDotted, toDotted, type JsonPath } from "@/app/_components/json-viewer/json-tree";
import { useJsonTree } from "@/app/_components/json-viewer/use-json-tree";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";
import { downloadJson } from "@/app/_components/json-viewer/download-json";

/** Pixels; from here, "back to top" is offered. */
const farFromTop = 480;
/** Assumed before the browser has measured anything. */
const firstRect = { width: 800, height: 480 };

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
  label: string;
  /** Without it, there is no download. */
  fileName?: string;
  firstDepth?: number;
  /** In the address, as `path` and `q`. */
  isInAddress?: boolean;
  /** A dotted path. */
  firstPath?: string;
  firstSearch?: string;
  linkOf?: (path: JsonPath) => JsonLink | null;
  className?: string;
}>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [path] = useState(() => resolveDotted(value, firstPath));
  const tree = useJsonTree(value, { depth: firstDepth, path });
  const { rows, active, activeIndex } = tree;
  const search = useJsonSearch(value, firstSearch, (found) => tree.show(found));

  // The rule warns about the React compiler, which is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 12,
    initialRect: firstRect,
    scrollPaddingEnd: lineHeight,
  });
  const lines = virtual.getVirtualItems();
  useEffect(() => virtual.scrollToIndex(activeIndex), [virtual, activeIndex]);
  useEffect(() => {
    if (isInAddress) writeAddress(active === undefined ? "" : toDotted(active.path), search.text);
  }, [isInAddress, active, search.text]);

  return (
    <div className={cn("relative flex min-h-0 flex-col", className)}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <JsonSearch search={search} />
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
            {rows.slice(lines[0]?.index, (lines.at(-1)?.index ?? -1) + 1).map((row) => (
              <JsonLine
                key={row.id}
                row={row}
                id={`${id}${row.id}`}
                isActive={row === active}
                isMatch={search.ids.has(row.id)}
                onPick={() => tree.toggle(row)}
              />
            ))}
          </div>
        </div>
      </div>
      {(virtual.scrollOffset ?? 0) > farFromTop && (
        <Button
          size="sm"
          className="absolute right-5 bottom-3 bg-raised shadow-popup"
          onClick={() => {
            scroller.current?.focus({ preventScroll: true });
            tree.press("Home");
            virtual.scrollToIndex(0);
          }}
        >
          <ArrowUp aria-hidden="true" />
          Back to top
        </Button>
      )}
    </div>
  );
}

/** Next's router notices and loads nothing. */
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
