import { cn } from "@/app/_components/ui/cn";

export const inputClass =
  "block h-8 w-full min-w-0 rounded-control border border-field bg-surface px-2.5 text-sm text-text transition-colors duration-100 hover:border-muted focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent disabled:cursor-not-allowed disabled:bg-hover disabled:text-muted data-invalid:border-bad aria-invalid:border-bad pointer-coarse:h-11 pointer-coarse:text-base";

export const textInputClass = `${inputClass} read-only:bg-hover`;

export const comboboxGroupClass = cn(
  inputClass,
  "flex items-center p-0 focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
);

export const comboboxInputClass = "h-full w-full min-w-0 truncate bg-transparent px-2.5 outline-none";
