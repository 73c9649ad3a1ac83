import { byMembers, type DraftParts } from "@/app/_components/form/draft-parts";

/** Marks and words tell added from removed, not colour alone. */
export function ChangeTable({
  before,
  after,
  changed,
  labels,
  parts = byMembers(),
}: Readonly<{
  before: object;
  after: object;
  changed: readonly string[];
  labels: Readonly<Record<string, string>>;
  parts?: Pick<DraftParts<object>, "nameOf" | "describe">;
}>) {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return (
    <dl className="divide-y divide-line text-table">
      {changed.map((name) => (
        <div key={name} className="grid gap-x-4 gap-y-1 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="font-medium">{labels[name] ?? parts.nameOf(name) ?? name}</dt>
          <dd className="min-w-0 space-y-1">
            <p className="flex gap-2 text-muted">
              <span aria-hidden="true" className="font-mono">
                −
              </span>
              <span className="sr-only">Before: </span>
              <del className="min-w-0 no-underline">{parts.describe(old[name], [now[name]])}</del>
            </p>
            <p className="flex gap-2">
              <span aria-hidden="true" className="font-mono text-good">
                +
              </span>
              <span className="sr-only">Now: </span>
              <ins className="min-w-0 no-underline">{parts.describe(now[name], [old[name]])}</ins>
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
