import { Diff, DiffRow } from "@/app/_components/diff/diff";
import { byMembers, type DraftParts } from "@/app/_components/form/draft-parts";

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
    <dl className="-mx-4 divide-y divide-line text-table">
      {changed.map((name) => (
        <DiffRow key={name} name={labels[name] ?? parts.nameOf(name) ?? name}>
          <Diff before={parts.describe(old[name], [now[name]])} after={parts.describe(now[name], [old[name]])} />
        </DiffRow>
      ))}
    </dl>
  );
}
