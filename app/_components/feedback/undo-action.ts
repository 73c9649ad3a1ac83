"use client";
import { showProblem, type ToastAction } from "@/app/_components/feedback/show-toast";
import { ApiError } from "@/lib/http/client";

/** Offers to take back what was just done; a failure becomes a toast. */
export function undoAction(undo: () => Promise<unknown>): ToastAction {
  return {
    label: "Undo",
    onClick: () => {
      void undo().catch(showProblem);
    },
  };
}

/**
 * Refuses to take back what is no longer the last that was done.
 *
 * @param what e.g. "the group"
 * @throws ApiError
 */
export function refuseUndo(what: string): never {
  throw new ApiError(`Nothing was undone: ${what} has been saved again since`, 409, null, null);
}
