import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { refreshCounters } from "@/app/_components/shell/navigation/counters";
import { showFindings, showProblem } from "@/app/_components/feedback/show-toast";
import { patch, post, put, remove } from "@/lib/platform/http/client";

const senders = { post, put, patch, delete: remove } as const;

/**
 * Calls a route that changes something and needs no form, then reloads the page and the counters.
 * @param options.nextHref where to go if the action leaves the page with nothing to show
 * @example <ConfirmDialog onConfirm={() => promote.run({ id })} …> // `tryRun` shows an error as a toast instead
 */
export function useAction(
  path: string,
  { method = "post", nextHref }: Readonly<{ method?: keyof typeof senders; nextHref?: string | undefined }> = {},
) {
  const router = useRouter();
  const [isSending, setIsSending] = useState(false);
  const [isReloading, startReload] = useTransition();
  const send = senders[method];

  /** @throws ApiError */
  async function run(body?: unknown): Promise<unknown> {
    setIsSending(true);
    try {
      const answer = await send(path, { arg: body });
      startReload(() => {
        // Before the page reloads: it would render as not found.
        if (nextHref !== undefined) router.replace(nextHref);
        router.refresh();
      });
      refreshCounters();
      showFindings(answer);
      return answer;
    } finally {
      setIsSending(false);
    }
  }

  /** Shows an error as a toast. Returns whether it succeeded. */
  async function tryRun(body?: unknown): Promise<boolean> {
    try {
      await run(body);
      return true;
    } catch (error) {
      showProblem(error);
      return false;
    }
  }

  // Busy until the page shows the new state, so that nobody acts on the old one.
  return { run, tryRun, isRunning: isSending || isReloading };
}
