import { Search } from "lucide-react";
import { inputClass } from "@/app/_components/fields/input-class";
import { cn } from "@/app/_components/ui/cn";

/** The input by which apps are found, before and after its search is there. */
export const appSearchInput = {
  placeholder: "Name, vendor, UUID or short id",
  className: cn(inputClass, "pl-8"),
};

export function AppSearchIcon() {
  return (
    <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted" />
  );
}
