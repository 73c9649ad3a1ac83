import type { LucideIcon } from "lucide-react";
import { Button, type ButtonProps } from "@/app/_components/ui/button";
import { Tooltip } from "@/app/_components/ui/tooltip";

/** The name is read to screen readers and shown on hover and focus. */
export function IconButton({
  icon: Icon,
  label,
  size = "icon",
  variant = "ghost",
  ...rest
}: Readonly<Omit<ButtonProps, "children"> & { icon: LucideIcon; label: string }>) {
  return (
    <Tooltip text={label}>
      <Button {...rest} variant={variant} size={size} aria-label={label}>
        <Icon aria-hidden="true" />
      </Button>
    </Tooltip>
  );
}
