import Link from "next/link";
import { Section } from "@/app/_components/section";
import type { ApplicationDetail } from "@/lib/applications/detail-queries";
import { type Change, summarizeChanges } from "@/lib/applications/version-changes";

/** What is new in this version against what production serves: what a reviewer looks at first. */
export function ChangesSection({ detail }: Readonly<{ detail: ApplicationDetail }>) {
  const { app, baseline, versions, production } = detail;
  if (baseline === null) {
    return (
      <Section id="changes" title="Changes">
        <p className="text-muted">
          {app.approval_status === "ACCEPTED"
            ? "No version was accepted before this one: there is nothing to compare it with."
            : "First submission: no version has been accepted yet, so everything below is new."}
        </p>
      </Section>
    );
  }
  const label = versions.find(({ id }) => id === baseline.id)?.label ?? "";
  const isInProduction = baseline.id === production || detail.state === "BLOCKED";
  const what = isInProduction && baseline.id > app.id ? "What this older version has different from" : "Against";
  return (
    <Section
      id="changes"
      title="Changes"
      description={
        <>
          {what} <Link href={`/applications/${baseline.id}`}>{label}</Link>
          {isInProduction ? ", the version in production" : ", the accepted version before"}
          {baseline.changes.length > 0 && `: ${summarizeChanges(baseline.changes)}`}
        </>
      }
    >
      {baseline.changes.length === 0 ? (
        <p>Nothing that vehicles or drivers would notice has changed.</p>
      ) : (
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          {baseline.changes.map(({ title, changes }) => (
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
      )}
    </Section>
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
