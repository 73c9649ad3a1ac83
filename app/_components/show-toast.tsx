"use client";
import type { ReactNode } from "react";
import { toast } from "sonner";
import { describeProblem, RequestId } from "@/app/_components/problem";
import { ApiError } from "@/lib/http/client";

/** What a toast offers; such a toast stays until it is closed. */
export interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

/** Says that something was done. */
export function showDone(message: ReactNode, action?: ToastAction): void {
  toast.success(message, action ? { action, duration: Infinity } : {});
}

/** Says that something was not done, in the server's words. */
export function showProblem(error: unknown, action?: ToastAction): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  toast.error(describeProblem(error), {
    duration: action ? Infinity : 12_000,
    ...(requestId === null ? {} : { description: <RequestId id={requestId} /> }),
    ...(action ? { action } : {}),
  });
}
