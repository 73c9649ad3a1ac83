import { Field as Base } from "@base-ui/react/field";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { inputClass } from "@/app/_components/fields/input-class";
import { cn } from "@/app/_components/ui/cn";

export const inputWithIcon = cn(inputClass, "pl-8");

export function InputIcon({ icon: Icon }: Readonly<{ icon: LucideIcon }>) {
  return (
    <Icon aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted" />
  );
}

export function PlainInput({ icon, ...props }: Readonly<ComponentProps<"input"> & { icon: LucideIcon }>) {
  return (
    <div className="relative">
      <InputIcon icon={icon} />
      <Base.Control {...props} className={inputWithIcon} />
    </div>
  );
}
