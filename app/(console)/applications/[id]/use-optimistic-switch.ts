import { startTransition, useOptimistic, useRef } from "react";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";

export interface SwitchTarget<T> {
  readonly path: string;
  readonly method?: "post" | "put";
  readonly body: (next: T) => object;
  readonly describe: (next: T) => string;
}

/** Shows a value before the server responds, and reverts it if the server refuses. */
export function useOptimisticSwitch<T extends string | boolean>(
  value: T,
  { path, method = "post", body, describe }: SwitchTarget<T>,
): readonly [shown: T, change: (next: T) => void] {
  const { run } = useAction(path, { method });
  const [shown, show] = useOptimistic(value);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const change = (next: T, earlier: T) => {
    // The refresh is part of the transition: the optimistic value holds until the page has the new one.
    startTransition(async () => {
      show(next);
      // One after the other: requests on the way may overtake each other.
      const turn = last.current.then(() => run(body(next)));
      last.current = turn.catch(() => undefined);
      try {
        await turn;
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
