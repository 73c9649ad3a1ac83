"use client";
import { TriangleAlert, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { IconButton } from "@/app/_components/ui/icon-button";
import { hiddenNoticesCookie } from "@/app/_components/shell/bars/hidden-notices-cookie";

export interface Setup {
  readonly isOpen: boolean;
  readonly isEmbedded: boolean;
  readonly isExampleDirectory: boolean;
  readonly isPlainAddress: boolean;
}

const yearSeconds = 31_536_000;
/** In the cookie: the notices were seen and are now one line; without it, they are dismissed. */
const seenMark = "seen";

/** A new notice brings the others back in full. */
export function SetupNotices({
  hidden,
  children,
  ...setup
}: Readonly<Setup & { hidden: string; /** The sentences. */ children: ReactNode }>) {
  const found = Object.entries(setup).flatMap(([name, is]) => (is ? [name] : []));
  const known = hidden.split(".");
  const isKnown = found.every((name) => known.includes(name));
  const [isHidden, setIsHidden] = useState(isKnown && !known.includes(seenMark));
  // Null: seen for the first time, when only phones fold them.
  const [isFolded, setIsFolded] = useState<boolean | null>(isKnown || null);
  const names = found.join(".");
  useEffect(() => {
    if (!isKnown) rememberNotices(`${seenMark}.${names}`);
  }, [isKnown, names]);
  if (isHidden || found.length === 0) return null;
  const title = "Not ready for production";
  return (
    <div
      role="note"
      data-shell={isFolded === true ? "" : undefined}
      className="mb-4 rounded-card border border-warn-line bg-warn-soft pr-1 pl-3 text-table"
    >
      <div className="flex min-h-9 items-center gap-2">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warn" />
        {isFolded !== true && <p className={cn("grow font-semibold", isFolded === null && "max-sm:hidden")}>{title}</p>}
        {isFolded !== false && (
          <button
            type="button"
            aria-expanded={false}
            className={cn(
              "h-8 min-w-0 grow truncate text-left font-semibold hover:underline pointer-coarse:h-11",
              isFolded === null && "sm:hidden",
            )}
            onClick={() => setIsFolded(false)}
          >
            {setup.isOpen ? `${title}: no password` : title}
          </button>
        )}
        <IconButton
          icon={X}
          label="Hide in this browser"
          size="icon-sm"
          onClick={() => {
            rememberNotices(names);
            setIsHidden(true);
          }}
        />
      </div>
      {isFolded !== true && (
        <div className={cn("pr-8 pb-2.5 pl-6", isFolded === null && "max-sm:hidden")}>{children}</div>
      )}
    </div>
  );
}

function rememberNotices(value: string): void {
  document.cookie = `${hiddenNoticesCookie}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
