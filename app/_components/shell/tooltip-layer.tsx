import { Tooltip } from "@base-ui/react/tooltip";
import { useEffect, useRef, useState } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

const sides = ["top", "bottom", "left", "right"] as const;
const hoverDelayMs = 400;
/** Milliseconds to reach the tooltip, which stays while the pointer is over it (WCAG 1.4.13). */
const leaveDelayMs = 120;

export function TooltipLayer() {
  // Keeps the last anchor while its tooltip fades out.
  const [anchor, setAnchor] = useState(findFirst);
  const [isOpen, setIsOpen] = useState(anchor !== null);
  const [popup, setPopup] = useState<HTMLElement | null>(null);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (next: HTMLElement | null, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (next) setAnchor(next);
      setIsOpen(next !== null);
    }, delay);
  };
  const hide = () => show(null, 0);
  useListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch") return;
    if (popup?.contains(target as Node)) clearTimeout(timer.current);
    else {
      const next = findOwner(target);
      show(next, next === null ? leaveDelayMs : isOpen ? 0 : hoverDelayMs);
    }
  });
  useListener("pointerdown", hide);
  useListener("focusin", ({ target }) => {
    const next = findOwner(target);
    if (next?.matches(":focus-visible")) show(next, 0);
  });
  useListener("focusout", hide);
  // Capture, because Base UI stops the event.
  useListener("keydown", ({ key }) => key === "Escape" && hide(), { capture: true });

  return (
    <Tooltip.Root open={isOpen && anchor?.isConnected === true}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={anchor}
          sideOffset={6}
          side={sides.find((side) => side === anchor?.dataset.tooltipSide) ?? "bottom"}
          className="z-60"
        >
          {/* Screen readers get the same text from the control's name. */}
          <Tooltip.Popup
            ref={setPopup}
            aria-hidden="true"
            className="max-w-72 rounded-control bg-text px-2 py-1 text-xs font-medium text-page shadow-popup transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 forced-colors:border"
          >
            {anchor?.dataset.tooltip}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** The control that was reached while this layer was loading. */
function findFirst(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-tooltip]:is(:hover, :focus-visible)");
}

function findOwner(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}
