import {
  cloneElement,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from "react";
import type { OpenState } from "@/app/_components/overlay/on-demand";

/** How a layer was opened, for the layer. */
export interface Opened extends OpenState {
  readonly anchor: HTMLButtonElement | null;
  /** Id of the button. */
  readonly anchorId: string;
  readonly isByKeys: boolean;
}

/** A button and the dialog or menu that it opens; without a button `open` decides alone. */
export function Opener({
  popup,
  trigger,
  open,
  onOpenChange,
  children,
}: Readonly<{
  popup: "menu" | "dialog";
  trigger?: ReactElement | undefined;
  /** Undefined: the button decides. */
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  children: (state: Opened) => ReactNode;
}>) {
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
    // Not every browser gives a button the focus that is pressed; the focus comes back to it.
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

  return (
    <>
      {button &&
        cloneElement(button, {
          ref: setAnchor,
          id: anchorId,
          "aria-haspopup": popup,
          "aria-expanded": isShown,
          onClick: (event) => {
            button.props.onClick?.(event);
            // Keys click without a pointer.
            openFrom(event.currentTarget, event.detail === 0);
          },
          ...(popup === "menu" && { onKeyDown }),
        })}
      {children({ open: isShown, onOpenChange: change, anchor, anchorId, isByKeys })}
    </>
  );
}
