import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { onDemand } from "@/app/_components/overlay/on-demand";

const useTermPopup = onDemand(() => import("@/app/_components/overlay/term-popup").then((m) => m.TermPopup));

const hoverDelayMs = 250;
/** Milliseconds to reach the meaning, which stays while the pointer is over it (WCAG 1.4.13). */
const leaveDelayMs = 120;

/** @example <Term word="HMI level">How visible an app must be to make the call.</Term> */
export function Term({ word, children }: Readonly<{ word: ReactNode; children: ReactNode }>) {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (open: boolean, delayMs = 0) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsOpen(open), delayMs);
  };
  const hover = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType !== "touch") show(true, isOpen ? 0 : hoverDelayMs);
    },
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      if (pointerType !== "touch") show(false, leaveDelayMs);
    },
  };
  const Popup = useTermPopup(isOpen, () => setIsOpen(false));
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="cursor-help rounded-xs text-left underline decoration-dotted decoration-1 underline-offset-4"
        onClick={() => show(true)}
        {...hover}
      >
        {word}
      </button>
      {Popup && (
        // oxlint-disable-next-line react/static-components -- the hook returns the same component each time
        <Popup anchor={anchor} open={isOpen} onOpenChange={(open) => show(open)} hover={hover}>
          {children}
        </Popup>
      )}
    </>
  );
}
