import { cn } from "@/app/_components/ui/cn";

export const backdropClass =
  "fixed inset-0 z-40 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0";

/** Fills the window, so that a dialog never exceeds it. */
export const viewportClass =
  "fixed inset-0 z-40 flex items-end justify-center overflow-hidden p-3 sm:items-center sm:p-6";

const widths = { sm: "sm:max-w-sm", md: "sm:max-w-lg", lg: "sm:max-w-2xl", xl: "sm:max-w-5xl" } as const;

export function dialogClass(size: keyof typeof widths): string {
  return cn(
    "flex max-h-full w-full flex-col rounded-xl border border-line bg-raised text-text shadow-dialog outline-none",
    "transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0",
    widths[size],
  );
}

export const dialogFooterClass =
  "flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t border-line bg-page px-5 py-3";
