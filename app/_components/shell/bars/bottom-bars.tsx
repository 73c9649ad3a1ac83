"use client";
import { type ReactNode, useEffect, useRef } from "react";

/** Pages put a bar of their own here, above the others. */
export const bottomSlotId = "bottom-slot";

/**
 * The bars at the bottom of the window. Publishes their height as `--bottom`, so that sticky content stays above them
 * and they never cover the focused element.
 */
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
      <div id={bottomSlotId} />
      {children}
    </div>
  );
}
