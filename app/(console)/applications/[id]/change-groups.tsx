import type { Change, ChangeGroup } from "@/lib/apps/applications/console/version-changes";

export function ChangeGroups({ groups }: Readonly<{ groups: readonly ChangeGroup[] }>) {
  return (
    <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
      {groups.map(({ title, changes }) => (
        <div key={title} className="min-w-0">
          <h3 className="mb-1 text-table font-medium text-muted">{title}</h3>
          <ul className="space-y-0.5 text-table">
            {changes.map((change, index) => (
              <ChangeLine key={`${change.name} ${index}`} change={change} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

const marks = {
  added: { sign: "+", word: "Added:", className: "bg-good-soft text-good" },
  removed: { sign: "−", word: "Removed:", className: "bg-bad-soft text-bad" },
  changed: { sign: "~", word: "Changed:", className: "bg-warn-soft text-warn" },
} as const;

function ChangeLine({ change }: Readonly<{ change: Change }>) {
  const { kind, name, from = null, to = null } = change;
  const { sign, word, className } = marks[kind];
  return (
    <li className="flex gap-2">
      <span
        aria-hidden="true"
        className={`mt-0.5 grid size-4 shrink-0 place-items-center rounded-xs font-mono text-xs font-semibold ${className}`}
      >
        {sign}
      </span>
      <span className="min-w-0">
        <span className="sr-only">{word} </span>
        {name}
        {kind === "changed" && (
          <>
            {": "}
            <span className="text-muted">{from ?? "none"}</span> <span aria-label="to">→</span>{" "}
            <span>{to ?? "none"}</span>
          </>
        )}
      </span>
    </li>
  );
}
