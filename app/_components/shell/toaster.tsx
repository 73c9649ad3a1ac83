import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useTheme } from "next-themes";
import { type RefObject, useEffect, useRef } from "react";
import { Toaster as Sonner, toast, type ToastT, useSonner } from "sonner";

/** A polite live region. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  const area = useRef<HTMLElement>(null);
  useExpiry(area);
  return (
    <Sonner
      ref={area}
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      closeButton
      // `useExpiry` ends them: sonner waits for the pointer, but not for the focus.
      duration={Infinity}
      offset={{ bottom: "calc(var(--bottom) + 1rem)", right: 20 }}
      mobileOffset={{ bottom: "calc(var(--bottom) + 1rem)" }}
      // Below bars (30) and dialogs (40), which must stay usable in windows too low for both.
      style={{ fontFamily: "inherit", zIndex: 25 }}
      containerAriaLabel="Messages"
      icons={{
        success: <CircleCheck aria-hidden="true" className="size-4 text-good" />,
        error: <CircleAlert aria-hidden="true" className="size-4 text-bad" />,
        warning: <TriangleAlert aria-hidden="true" className="size-4 text-warn" />,
        info: <Info aria-hidden="true" className="size-4 text-calm" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-2.5 rounded-card border border-line bg-raised p-3 pr-9 text-table text-text shadow-popup [&>[data-icon]]:mt-0.5",
          title: "font-medium",
          description: "text-muted",
          content: "min-w-0 grow",
          actionButton:
            "shrink-0 self-center rounded-control border border-edge bg-surface px-2 py-1 text-xs font-medium hover:bg-hover",
          closeButton:
            "absolute top-2 right-2 grid size-6 place-items-center rounded-control bg-transparent! text-muted hover:bg-hover! hover:text-text",
        },
      }}
    />
  );
}

/** In seconds. Whoever is offered something needs longer: to read, to decide, and to get there. */
const lifetimeOf = ({ action, description }: ToastT) => (action || description ? 30 : 10);

/** The time stands still while the pointer or the focus is on toasts or nobody sees them. */
function useExpiry(area: RefObject<HTMLElement | null>) {
  const { toasts } = useSonner();
  // A changed toast is a new object, and starts anew.
  const ages = useRef(new WeakMap<ToastT, number>());
  useEffect(() => {
    if (toasts.length === 0) return;
    const timer = setInterval(() => {
      if (document.hidden || area.current?.querySelector(":hover, :focus")) return;
      for (const one of toasts) {
        const age = (ages.current.get(one) ?? 0) + 1;
        ages.current.set(one, age);
        if (age >= lifetimeOf(one)) toast.dismiss(one.id);
      }
    }, 1000);
    return () => clearInterval(timer);
  }, [area, toasts]);
}
