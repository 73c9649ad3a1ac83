import { RotateCcw } from "lucide-react";
import { flushSync } from "react-dom";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { describeValue } from "@/app/_components/form/describe-value";

const controls = "input:not([type=hidden]):not([aria-hidden=true]), textarea, [role=switch], button";

/** Beside a label: what production has, where that is another value, and the way back to it. */
export function Compared<T>({
  value,
  production,
  onRevert,
}: Readonly<{
  value: T;
  /** Undefined: there is nothing in production to compare with. */
  production: T | undefined;
  onRevert: ((value: T) => void) | null;
}>) {
  if (production === undefined || deepEqual(value, production)) return null;
  const words = describeValue(production);
  return (
    <span className="inline-flex items-center gap-1 text-warn">
      <span className="max-w-40 truncate" title={words}>
        production: {words}
      </span>
      {onRevert && (
        <button
          type="button"
          aria-label={`Reset to the production value, ${words}`}
          title="Reset to the production value"
          className="grid size-6 place-items-center rounded-control hover:bg-hover pointer-coarse:size-11"
          onClick={({ currentTarget }) => {
            // This button goes with the difference: the focus goes on to the field that it belongs to.
            focusNearest(currentTarget, () => flushSync(() => onRevert(production)));
          }}
        >
          <RotateCcw aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </span>
  );
}

/**
 * Does something that takes a control out of the page, and gives the focus to a control that stood nearest to it: where
 * the focus would be lost, people without a mouse had to begin at the top again.
 *
 * @param remove has taken the control out of the page when it returns
 */
function focusNearest(control: Element, remove: () => void): void {
  const around: Element[] = [];
  for (let element = control.parentElement; element !== null; element = element.parentElement) around.push(element);
  remove();
  if (control.isConnected) return;
  for (const element of around) {
    const next = element.isConnected ? element.querySelector<HTMLElement>(controls) : null;
    if (next === null) continue;
    next.focus();
    return;
  }
}
