import { Link } from "@/app/_components/ui/link";
import type { ComponentProps } from "react";
import { buttonClass, type ButtonStyle } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";

/** Leads somewhere and changes nothing. */
export function LinkButton({ variant, size, className, ...rest }: Readonly<ComponentProps<typeof Link> & ButtonStyle>) {
  return <Link {...rest} className={cn(buttonClass({ variant, size }), className)} />;
}
