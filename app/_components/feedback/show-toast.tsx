import type { ReactNode } from "react";
import type { toast as Toast } from "sonner";
import { describeProblem, RequestId } from "@/app/_components/feedback/problem";
import { ApiError, hasChangedNameless } from "@/lib/platform/http/client";

/** What a toast offers; such a toast stays until it is closed. */
export interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

/** Says that something was done; once also that the reader may give a name for the record. */
export function showDone(message: ReactNode, action?: ToastAction): void {
  const hinting = hasChangedNameless()
    ? import("@/app/_components/feedback/toast-parts").then((m) => m.takeNameHint())
    : null;
  withToasts(async (toast) =>
    toast.success(message, { ...(action ? { action, duration: Infinity } : {}), ...(await hinting) }),
  );
}

/** Says that something was not done, in the server's words. */
export function showProblem(error: unknown, action?: ToastAction): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  withToasts((toast) =>
    toast.error(describeProblem(error), {
      duration: action ? Infinity : 12_000,
      ...(requestId === null ? {} : { description: <RequestId id={requestId} /> }),
      ...(action ? { action } : {}),
    }),
  );
}

/**
 * Says which faults a save has brought to the staging table (`data.findings`): it is stored all the same.
 *
 * @param answer `data` of any answer; nothing happens without findings
 */
export function showFindings(answer: unknown): void {
  if (typeof answer !== "object" || answer === null || !("findings" in answer)) return;
  void import("@/app/_components/feedback/toast-parts").then(({ toastFindings }) => toastFindings(answer));
}

/** The shell has fetched the library when the reader began to act (`OnDemand`): this only waits for a promise. */
function withToasts(show: (toast: typeof Toast) => unknown): void {
  void import("sonner").then(({ toast }) => show(toast));
}
