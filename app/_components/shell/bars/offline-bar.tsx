"use client";
import { WifiOff } from "lucide-react";
import { useState } from "react";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { useListener } from "@/app/_components/hooks/use-listener";
import { useOnline } from "@/app/_components/hooks/use-online";

/** Disables links, because the browser's own error page would replace this one. */
export function OfflineBar() {
  const isOnline = useOnline();
  const [lostAt, setLostAt] = useState<string | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  useListener("offline", () => {
    setLostAt(new Date().toISOString());
    setIsHeld(false);
  });
  useListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (navigator.onLine || link === null || link.hasAttribute("download") || !leavesPage(link.href)) return;
      // Runs before the router, which listens further down.
      event.preventDefault();
      event.stopPropagation();
      setIsHeld(true);
    },
    { capture: true },
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center gap-2 border-t border-line bg-text px-4 py-2 text-table text-page md:px-6">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          <span>
            No connection. You see the last loaded data
            {lostAt !== null && (
              <>
                {" "}
                (<TimeAgo at={lostAt} />)
              </>
            )}
            . You cannot save until the connection is back.
            {isHeld && " You cannot open other pages either."}
          </span>
        </p>
      )}
    </div>
  );
}

function leavesPage(href: string): boolean {
  if (!URL.canParse(href)) return false;
  const { origin, pathname, search } = new URL(href);
  return origin !== window.location.origin || pathname + search !== window.location.pathname + window.location.search;
}
