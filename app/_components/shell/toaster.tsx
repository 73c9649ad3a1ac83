import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

/** The toast area: a polite live region, above the bars at the bottom. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      closeButton
      // Above the bars: their buttons must stay reachable while a toast with "Undo" is open.
      offset={{ bottom: "calc(var(--bottom) + 1rem)", right: 20 }}
      mobileOffset={{ bottom: "calc(var(--bottom) + 1rem)" }}
      // Below dialogs, for the same reason.
      style={{ fontFamily: "inherit", zIndex: 35 }}
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
            "absolute top-2 right-2 grid size-6 place-items-center rounded-control text-muted hover:bg-hover hover:text-text",
        },
      }}
    />
  );
}
