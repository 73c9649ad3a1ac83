import { Link } from "@/app/_components/ui/link";
import { Chip } from "@/app/_components/ui/chip";
import { Section } from "@/app/_components/ui/section";
import { ApprovalChip } from "@/app/_components/ui/status-chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ApplicationDetail } from "@/lib/apps/applications/console/detail-queries";

export function VersionsSection({ detail }: Readonly<{ detail: ApplicationDetail }>) {
  const { app, versions, production, staging } = detail;
  return (
    <Section title="Versions" id="versions" description="Every version from the app directory, newest first." flush>
      <ul className="divide-y divide-line text-table">
        {versions.map(({ id, label, approvalStatus, receivedAt, versionId }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <span className="min-w-28 font-medium">
              {id === app.id ? (
                <span aria-current="true">{label}</span>
              ) : (
                <Link href={`/applications/${id}`}>{label}</Link>
              )}
            </span>
            <ApprovalChip status={approvalStatus} />
            {id === production && <Chip tone="plain">Served in production</Chip>}
            {id === staging && <Chip tone="plain">Served in staging</Chip>}
            <span className="ml-auto text-muted">
              {versionId !== null && `#${versionId} · `}received <TimeAgo at={receivedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
