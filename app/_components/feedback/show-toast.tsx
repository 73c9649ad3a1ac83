import type { ReactNode } from "react";
import type { toast as Toast } from "sonner";
import { describeProblem, RequestId } from "@/app/_components/feedback/problem";
import { ApiError, hasChangedNameless } from "@/lib/platform/http/client";

/** Such a toast stays longer. */
export interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

/** Once also suggests setting a name for the audit trail. */
export function showDone(message: ReactNode, action?: ToastAction): void {
  const hinting = hasChangedNameless()
    ? import("@/app/_components/feedback/toast-parts").then((m) => m.takeNameHint())
    : null;
  withToasts(async (toast) => toast.success(message, { ...(action && { action }), ...(await hinting) }));
}

/** In the server's words. */
export function showProblem(error: unknown, action?: ToastAction): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  withToasts((toast) =>
    toast.error(describeProblem(error), {
      ...(requestId === null ? {} : { description: <RequestId id={requestId} /> }),
      ...(action && { action }),
    }),
  );
}

/** The save succeeded anyway; nothing happens without `data.findings`. */
export function showFindings(answer: unknown): void {
  if (typeof answer !== "object" || answer === null || !("findings" in answer)) return;
  void import("@/app/_components/feedback/toast-parts").then(({ toastFindings }) => toastFindings(answer));
}

/** `OnDemand` loads the library on the reader's first action: this only waits for it. */
function withToasts(show: (toast: typeof Toast) => unknown): void {
  void import("sonner").then(({ toast }) => show(toast));
}
