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
 * A value that is stored at once: shown before the server has answered, taken back with the server's words when it
 * refuses, and undone from the toast.
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
    // The page is loaded again within the same transition: the value holds until the page says so itself.
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
