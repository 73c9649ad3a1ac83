import { Plus } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import { inputClass } from "@/app/_components/fields/input-class";

/** The input by which permissions are found, before and after its search is there. */
export const permissionInput = { placeholder: "Type a name, or paste a list", className: cn(inputClass, "pl-8") };

export function PermissionSearchIcon() {
  return (
    <Plus aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted" />
  );
}
