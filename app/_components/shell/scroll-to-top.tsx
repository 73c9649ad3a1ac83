"use client";
import { usePathname } from "next/navigation";
import { useLayoutEffect, useRef } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

/** Next does not scroll while the first line of the new page would be visible. Back and forward keep their position. */
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
