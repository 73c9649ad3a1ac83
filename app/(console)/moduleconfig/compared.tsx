"use client";
import { RotateCcw } from "lucide-react";
import { flushSync } from "react-dom";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { describeValue } from "@/app/_components/form/describe-value";
import { focusNearest } from "./focus-nearest";

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
          aria-label={`Back to the value of production, ${words}`}
          title="Back to the value of production"
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
