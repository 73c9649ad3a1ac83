import { startTransition, useOptimistic } from "react";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";

export interface SwitchTarget<T> {
  readonly path: string;
  readonly method?: "post" | "put";
  readonly body: (next: T) => object;
  readonly describe: (next: T) => string;
}

/**
 * A value that is saved at once: shown before the server responds, reverted with the server's message if it refuses,
 * and undone from the toast.
 *
 * @param value as the page was rendered with
 */
export function useOptimisticSwitch<T extends string | boolean>(
  value: T,
  { path, method = "post", body, describe }: SwitchTarget<T>,
): readonly [shown: T, change: (next: T) => void] {
  const { run } = useAction(path, { method });
  const [shown, show] = useOptimistic(value);
  const change = (next: T, earlier: T) => {
    // The refresh is part of the transition: the optimistic value holds until the page has the new one.
    startTransition(async () => {
      show(next);
      try {
        await run(body(next));
      } catch (error) {
        showProblem(error);
        return;
      }
      showDone(describe(next), {
        label: "Undo",
        onClick: () => change(earlier, next),
      });
    });
  };
  return [shown, (next) => change(next, shown)];
}
