import type { ReactNode } from "react";

/** A paragraph that must be noticed: something works, but not as it should in production. */
export function Notice({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <p role="note" className="rounded-lg bg-warn-surface px-4 py-3 text-warn-text">
      <span aria-hidden="true">⚠ </span>
      {children}
    </p>
  );
}
