"use client";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { cn } from "@/app/_components/ui/cn";

const slotId = "bottom-slot";
const never = () => () => undefined;

/** Publishes its height as `--bottom`, so that the page's end, the focused element and toasts stay above. */
export function BottomBars({ children }: Readonly<{ children: ReactNode }>) {
  const bars = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = bars.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty("--bottom", `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={bars} data-shell="" className="fixed right-0 bottom-0 left-0 z-30 md:left-60">
      {/* While the next page loads, a skeleton covers this one. */}
      <div id={slotId} className="in-[:has([data-leaving])]:invisible" />
      {children}
    </div>
  );
}

export function BottomBar({
  label,
  className,
  children,
}: Readonly<{ label: string; className?: string; children: ReactNode }>) {
  const slot = useSyncExternalStore<HTMLElement | null | undefined>(
    never,
    () => document.getElementById(slotId),
    () => undefined,
  );
  if (slot === undefined) return null;
  const bar = (
    <div
      role="region"
      aria-label={label}
      className={cn(
        "flex flex-wrap items-center gap-2 border-t border-line bg-raised px-4 py-2.5 shadow-popup md:px-6",
        className,
      )}
    >
      {children}
    </div>
  );
  return slot === null ? bar : createPortal(bar, slot);
}
