export const popupClass =
  "rounded-card border border-line bg-raised text-text shadow-popup outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0";

export const itemClass =
  "flex min-h-8 w-full cursor-default items-center gap-2 rounded-control px-2 py-1 text-sm text-text no-underline outline-none select-none data-disabled:opacity-55 data-highlighted:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";
