import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import type { ReviewJson } from "@/lib/apps/applications/console/effect-schema";
import { groupPath } from "@/lib/records/groups/list-address";
import { garbledNameNote, garbledNames } from "@/lib/vocabulary/phones";
import { ChangeGroups } from "../../[id]/changes-section";
import { EffectAreas } from "../../effect-lines";

export function ReviewContent({ review }: Readonly<{ review: ReviewJson }>) {
  const { application, versions, baseline, changes, effect, groups, prompts } = review;
  const label = versions.find(({ id }) => id === application.id)?.label;
  const isOpen = application.approval_status !== "ACCEPTED" && !application.is_blacklisted;
  const garbled = garbledNames([application.name, ...application.display_names]);
  return (
    <div className="min-h-0 grow space-y-5 overflow-y-auto px-5 py-4" tabIndex={0} role="region" aria-label="Review">
      <p className="text-table text-muted">
        {[application.vendor_name || "Unknown vendor", label, application.platform].filter(Boolean).join(" · ")}
        {" · "}
        <Link href={`/applications/${application.id}`}>Open the app</Link>
      </p>
      {garbled.length > 0 && (
        <p role="note" className="rounded-card bg-warn-soft px-3 py-2 text-table">
          <span className="font-medium break-words text-warn">{garbled.join(", ")}: </span>
          {garbledNameNote}
        </p>
      )}
      <Part title="What an approval changes in production">
        {effect === null ? (
          <p className="text-table text-muted">
            {isOpen
              ? "Not known: no policy is in service, or the version cannot be read."
              : "Nothing: this version is already approved, or the app is blocked."}
          </p>
        ) : (
          <EffectAreas effect={effect} />
        )}
      </Part>
      {prompts.length > 0 && (
        <Part title="What the driver is asked">
          <ul className="space-y-2">
            {prompts.map(({ group, title, text }) => (
              <li key={group} className="rounded-card border border-edge bg-page px-3 py-2.5">
                <p className="text-table font-semibold">{title}</p>
                {text !== "" && <p className="mt-0.5 text-table whitespace-pre-line">{text}</p>}
                <p className="mt-1 text-xs text-muted">for {group}</p>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Functional groups it gets">
        {groups.length === 0 ? (
          <p className="text-table text-muted">Only those that every app gets.</p>
        ) : (
          <ul className="flex flex-wrap gap-x-3 gap-y-1 text-table">
            {groups.map((name) => (
              <li key={name}>
                <Link href={groupPath({ name }, "production")}>{name}</Link>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title={baseline === null ? "What it asks for: first submission" : `What changed against ${baseline}`}>
        {changes.length === 0 ? (
          <p className="text-table text-muted">No changes that vehicles or drivers would notice.</p>
        ) : (
          <ChangeGroups groups={changes} />
        )}
      </Part>
    </div>
  );
}

function Part({ title, children }: Readonly<{ title: string; children: ReactNode }>) {
  return (
    <section>
      <h3 className="mb-1.5 text-sm leading-6 font-semibold">{title}</h3>
      {children}
    </section>
  );
}
