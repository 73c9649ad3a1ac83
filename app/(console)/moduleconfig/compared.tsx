import { RotateCcw } from "lucide-react";
import { flushSync } from "react-dom";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { describeValue } from "@/app/_components/form/describe-value";

const controls = "input:not([type=hidden]):not([aria-hidden=true]), textarea, [role=switch], button";

export function Compared<T>({
  value,
  production,
  onRevert,
}: Readonly<{
  value: T;
  /** Undefined: nothing to compare with. */
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
            // This button disappears with the difference, so the focus moves to its field.
            focusNearest(currentTarget, () => flushSync(() => onRevert(production)));
          }}
        >
          <RotateCcw aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </span>
  );
}

/** Keyboard users would start at the top of the page if the focus were lost. `remove` must remove before it returns. */
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
