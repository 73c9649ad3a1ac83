import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { refreshCounters } from "@/app/_components/shell/navigation/counters";
import { showFindings, showProblem } from "@/app/_components/feedback/show-toast";
import { patch, post, put, remove } from "@/lib/platform/http/client";

const senders = { post, put, patch, delete: remove } as const;

/**
 * Calls a route that changes something and takes no form: promote, switch, decide. Afterwards the page and the counters are loaded again.
 *
 * @param options.nextHref where the reader is led when it worked: for acts after which the page in view has nothing to show
 * @example
 * const promote = useAction("/api/v1/groups/promote");
 * <ConfirmDialog onConfirm={() => promote.run({ id })} …>   // a refusal is shown in the dialog
 * <SwitchField onChange={(is) => promote.tryRun({ uuid, is })} …>   // a refusal is shown as a toast
 */
export function useAction(
  path: string,
  { method = "post", nextHref }: Readonly<{ method?: keyof typeof senders; nextHref?: string | undefined }> = {},
) {
  const router = useRouter();
  const [isSending, setIsSending] = useState(false);
  const [isReloading, startReload] = useTransition();
  const send = senders[method];

  /** Gives `data` of the answer. @throws ApiError */
  async function run(body?: unknown): Promise<unknown> {
    setIsSending(true);
    try {
      const answer = await send(path, { arg: body });
      startReload(() => {
        // Before the page is loaded again: it would be drawn as one that does not exist.
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

  /** The same; a failure becomes a toast. Gives whether it worked. */
  async function tryRun(body?: unknown): Promise<boolean> {
    try {
      await run(body);
      return true;
    } catch (error) {
      showProblem(error);
      return false;
    }
  }

  // Until the page tells the new state, nobody can act on the old one.
  return { run, tryRun, isRunning: isSending || isReloading };
}
