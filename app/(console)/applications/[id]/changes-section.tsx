import { MessageSquare } from "lucide-react";
import { ChangeSign } from "@/app/_components/diff/change-sign";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { ApplicationDetail, GroupOfApp } from "@/lib/apps/applications/console/detail-queries";
import type { Change, ChangeGroup } from "@/lib/apps/applications/console/effect-schema";
import { listRequests } from "@/lib/apps/applications/console/version-changes";
import { capital } from "@/lib/vocabulary/format-number";
import { groupPath } from "@/lib/records/groups/list-address";

export function FirstSubmission({ detail: { app, granted } }: Readonly<{ detail: ApplicationDetail }>) {
  const requests = listRequests(app);
  const isAccepted = app.approval_status === "ACCEPTED";
  return (
    <Section
      id="changes"
      title="Changes"
      description={
        isAccepted
          ? "This is the first version, so this is everything it requests."
          : "First submission. No version has been approved yet, so all of this is new."
      }
    >
      <div className="space-y-4">
        {requests.length === 0 ? (
          <p className="text-table">It requests nothing and gets only what every app gets.</p>
        ) : (
          <ChangeGroups groups={requests} />
        )}
        <Granted granted={granted} isAccepted={isAccepted} />
      </div>
    </Section>
  );
}

function Granted({ granted, isAccepted }: Readonly<{ granted: readonly GroupOfApp[]; isAccepted: boolean }>) {
  const own = granted.filter((group) => !group.is_default);
  const shared = granted.filter((group) => group.is_default);
  return (
    <div className="border-t border-line pt-3 text-table">
      <h3 className="mb-1 font-medium text-muted">
        {isAccepted ? "Groups it gets in production" : "Groups it will get in production once approved"}
      </h3>
      {own.length === 0 ? (
        <p>None except those every app gets. What it requests is in no group it can get.</p>
      ) : (
        <ul className="space-y-1">
          {own.map((group) => (
            <li key={group.id} className="flex flex-wrap items-baseline gap-x-3">
              <GroupLink group={group} />
              <Prompt prompt={group.user_consent_prompt} />
            </li>
          ))}
        </ul>
      )}
      {shared.length > 0 && (
        <p className="mt-1 text-muted">
          Every app has{" "}
          {shared.map((group, at) => (
            <span key={group.id}>
              {at > 0 && ", "}
              <GroupLink group={group} />
            </span>
          ))}
          .
        </p>
      )}
    </div>
  );
}

function GroupLink({ group }: Readonly<{ group: GroupOfApp }>) {
  return (
    <Link href={groupPath({ name: group.property_name }, "production")} className="font-medium wrap-anywhere">
      {group.property_name}
    </Link>
  );
}

function Prompt({ prompt }: Readonly<{ prompt: string | null }>) {
  if (prompt === null) return <span className="text-xs text-muted">The driver is not asked</span>;
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-xs text-muted">
      <MessageSquare aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">The driver is asked for consent: {prompt}</span>
    </span>
  );
}

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

function ChangeLine({ change }: Readonly<{ change: Change }>) {
  const { kind, name, from = null, to = null } = change;
  return (
    <li className="flex gap-2">
      <ChangeSign kind={kind} />
      <span className="min-w-0">
        <span className="sr-only">{`${capital(kind)}: `}</span>
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
