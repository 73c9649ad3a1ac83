import { cloneElement, type ComponentProps, type KeyboardEvent, type ReactElement, useId, useState } from "react";

export interface OpenState {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export interface Opened extends OpenState {
  readonly anchor: HTMLButtonElement | null;
  readonly anchorId: string;
  readonly isByKeys: boolean;
}

export interface OpenerProps extends Partial<OpenState> {
  /** Without a button, `open` controls the layer; without `open`, the button does. */
  readonly trigger?: ReactElement;
}

export function useOpener(
  { trigger, open, onOpenChange }: OpenerProps,
  popup: "menu" | "dialog" = "dialog",
): readonly [button: ReactElement | null, state: Opened] {
  const [isOpen, setIsOpen] = useState(false);
  const [isByKeys, setIsByKeys] = useState(false);
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const ownId = useId();
  const button = trigger as ReactElement<ComponentProps<"button">> | undefined;
  const anchorId = button?.props.id ?? ownId;
  const isShown = open ?? isOpen;

  const change = (next: boolean) => {
    setIsOpen(next);
    onOpenChange?.(next);
  };
  function openFrom(element: HTMLElement, byKeys: boolean) {
    // Not every browser focuses a clicked button, but the focus must return to it.
    element.focus({ preventScroll: true });
    setIsByKeys(byKeys);
    change(true);
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (!isArrow || event.currentTarget.getAttribute("aria-disabled") === "true") return;
    event.preventDefault();
    openFrom(event.currentTarget, true);
  };

  const opening = button
    ? cloneElement(button, {
        ref: setAnchor,
        id: anchorId,
        "aria-haspopup": popup,
        "aria-expanded": isShown,
        onClick: (event) => {
          button.props.onClick?.(event);
          // Keyboard clicks have no pointer.
          openFrom(event.currentTarget, event.detail === 0);
        },
        ...(popup === "menu" && { onKeyDown }),
      })
    : null;
  return [opening, { open: isShown, onOpenChange: change, anchor, anchorId, isByKeys }];
}
