"use client";
import { TriangleAlert, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Notice } from "@/app/_components/feedback/notice";
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
  const [isFolded, setIsFolded] = useState(isKnown);
  const names = found.join(".");
  useEffect(() => {
    if (!isKnown) rememberNotices(`${seenMark}.${names}`);
  }, [isKnown, names]);
  if (isHidden || found.length === 0) return null;
  const title = "Set up only for trying out";
  const action = (
    <IconButton
      icon={X}
      label="Hide in this browser"
      size="icon-sm"
      onClick={() => {
        rememberNotices(names);
        setIsHidden(true);
      }}
    />
  );
  if (isFolded) {
    return (
      <div
        role="note"
        data-shell=""
        className="mb-4 flex items-center gap-2 rounded-card border border-warn-line bg-warn-soft pr-1 pl-3 text-table"
      >
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warn" />
        <button
          type="button"
          aria-expanded={false}
          title={title}
          className="h-8 min-w-0 grow truncate text-left font-semibold hover:underline pointer-coarse:h-11"
          onClick={() => setIsFolded(false)}
        >
          {title}
        </button>
        {action}
      </div>
    );
  }
  return (
    <Notice className="mb-5" title={title} action={action}>
      {children}
    </Notice>
  );
}

function rememberNotices(value: string): void {
  document.cookie = `${hiddenNoticesCookie}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
