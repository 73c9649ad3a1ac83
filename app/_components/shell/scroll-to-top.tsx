"use client";
import { usePathname } from "next/navigation";
import { useLayoutEffect, useRef } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

/**
 * Every page begins at its top. Next leaves the window where it is while the first line of the new page
 * would be in view, even if that is half-way down. Ways back keep their place: those of the browser here, our own
 * because their lists scroll after this, which stands before the page.
 */
export function ScrollToTop() {
  const pathname = usePathname();
  const shown = useRef(pathname);
  const traversedTo = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (traversedTo.current !== pathname && window.location.hash === "") window.scrollTo(0, 0);
    traversedTo.current = null;
  }, [pathname]);
  useListener("popstate", () => {
    traversedTo.current = window.location.pathname;
  });
  return null;
}
