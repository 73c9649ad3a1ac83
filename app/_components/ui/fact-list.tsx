import type { ReactNode } from "react";

/** Omits null. Within a `Section`, make that `flush`. */
export function FactList({ facts }: Readonly<{ facts: readonly (readonly [name: string, value: ReactNode])[] }>) {
  return (
    <dl className="divide-y divide-line text-table">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
