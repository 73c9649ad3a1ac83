"use client";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { buttonClass, type ButtonStyle } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";
import { type Needs, useObstacle } from "@/app/_components/shell/role";

export interface ButtonProps extends ComponentProps<"button">, ButtonStyle, Needs {
  /** Further clicks do nothing. The width stays. */
  busy?: boolean;
}

/** Disabled or busy, it stays in the tab order, so that the focus is not lost and the reason can be read. */
export function Button({
  variant,
  size,
  busy = false,
  needsServer = false,
  needs,
  className,
  children,
  disabled = false,
  onClick,
  title,
  type = "button",
  ...rest
}: Readonly<ButtonProps>) {
  const obstacle = useObstacle(needsServer, needs);
  const isOff = disabled || obstacle !== null;
  return (
    <button
      {...rest}
      type={isOff || busy ? "button" : type}
      aria-disabled={isOff || busy || undefined}
      aria-busy={busy || undefined}
      title={obstacle ?? title}
      className={cn(buttonClass({ variant, size }), busy && "relative aria-disabled:opacity-100", className)}
      onClick={(event) => {
        if (isOff || busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {/* The label stays, for the width and as the name. */}
      {busy ? <span className="inline-flex items-center gap-1.5 opacity-0">{children}</span> : children}
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <LoaderCircle aria-hidden="true" className="animate-spin" />
        </span>
      )}
    </button>
  );
}
