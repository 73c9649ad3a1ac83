import { cn } from "@/app/_components/ui/cn";
import { inputClass } from "@/app/_components/fields/input-class";

/** The frame of a combobox: it looks like an input, and holds one. */
export const comboboxGroupClass = cn(
  inputClass,
  "flex items-center p-0 focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
);

export const comboboxInputClass = "h-full w-full min-w-0 truncate bg-transparent px-2.5 outline-none";
