import type { ReactNode } from "react";

/** Named values in two columns, one below the other on narrow screens. */
export function FactList({ facts }: Readonly<{ facts: readonly (readonly [name: string, value: ReactNode])[] }>) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-surface">
      {facts.map(([name, value]) => (
        <div key={name} className="grid gap-1 px-4 py-3 sm:grid-cols-[14rem_1fr]">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
