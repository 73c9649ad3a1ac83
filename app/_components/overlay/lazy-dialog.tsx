"use client";
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useActivity } from "@/app/_components/hooks/use-activity";

interface OpenState {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** A dialog whose code is fetched when the reader begins to act, and which is in the page once it has been opened. */
export function LazyDialog({
  trigger,
  open,
  onOpenChange,
  load,
  children,
}: Readonly<{
  trigger: ReactElement | undefined;
  /** Undefined: the trigger decides. */
  open: boolean | undefined;
  onOpenChange: ((open: boolean) => void) | undefined;
  load: () => Promise<unknown>;
  children: (state: OpenState) => ReactNode;
}>) {
  const isActive = useActivity();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const isWanted = open ?? isOpen;
  if (isWanted && !wasOpened) setWasOpened(true);
  useEffect(() => {
    if (isActive) void load();
  }, [isActive, load]);

  const change = (next: boolean) => {
    setIsOpen(next);
    onOpenChange?.(next);
  };
  const button = trigger as ReactElement<ComponentProps<"button">> | undefined;
  return (
    <>
      {button &&
        cloneElement(button, {
          "aria-haspopup": "dialog",
          "aria-expanded": isWanted,
          onClick: (event) => {
            button.props.onClick?.(event);
            change(true);
          },
        })}
      {wasOpened && children({ open: isWanted, onOpenChange: change })}
    </>
  );
}
