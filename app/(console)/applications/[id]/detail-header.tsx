import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import { Chip } from "@/app/_components/ui/chip";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { BackToList } from "@/app/_components/list/back-to-list";
import { guides } from "@/app/_components/guides";
import { HelpLink } from "@/app/_components/ui/help-link";
import { ApprovalChip } from "@/app/_components/ui/status-chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ApplicationDetail, DetailVersion } from "@/lib/apps/applications/console/detail-queries";
import { AppIcon } from "../app-icon";
import { Section } from "@/app/_components/ui/section";

export function DetailHeader({ detail }: Readonly<{ detail: ApplicationDetail }>) {
  const { app, versions } = detail;
  const version = versions.find(({ id }) => id === app.id);
  return (
    <header className="mb-4">
      <BackToList section="/applications" label="Applications" />
      <div className="mt-1 flex items-start gap-4">
        <AppIcon url={app.icon_url} name={app.name} size="lg" />
        <div className="min-w-0 space-y-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 className="text-xl leading-7 font-semibold tracking-tight">{app.name}</h1>
            <ApprovalChip state={detail.state} />
            <Chip tone="plain">{app.platform}</Chip>
            <HelpLink href={guides.applications} />
          </div>
          <p className="flex flex-wrap items-center gap-x-2 text-table text-muted">
            <span>{app.vendor_name || "Unknown vendor"}</span>
            <span aria-hidden="true">·</span>
            <span>{version?.label}</span>
            <span aria-hidden="true">·</span>
            <span className="flex min-w-0 items-center gap-1">
              <code className="font-mono text-xs break-all">{app.uuid}</code>
              <CopyButton text={app.uuid} label="Copy UUID" />
            </span>
          </p>
          <p className="max-w-4xl">
            <Serving detail={detail} />
          </p>
        </div>
      </div>
    </header>
  );
}

/** "Production serves v4 (approved 3 weeks ago). Staging serves v5. You are viewing v6." */
function Serving({ detail }: Readonly<{ detail: ApplicationDetail }>) {
  const { app, versions, production, staging, acceptedAt } = detail;
  const find = (id: number | null) => versions.find((version) => version.id === id);
  if (app.is_blacklisted) return "This app is blocked: it gets nothing in production and in staging.";
  const inProduction = find(production);
  const inStaging = find(staging);
  const isSame = inProduction !== undefined && inProduction.id === inStaging?.id;
  return (
    <>
      {inProduction === undefined ? (
        "Production serves no version of this app. "
      ) : (
        <>
          {isSame ? "Production and staging serve " : "Production serves "}
          <VersionLink version={inProduction} current={app.id} />{" "}
          <Since version={inProduction} acceptedAt={acceptedAt} />.{" "}
        </>
      )}
      {inStaging === undefined
        ? "Staging serves none either. "
        : !isSame && (
            <>
              Staging serves <VersionLink version={inStaging} current={app.id} />.{" "}
            </>
          )}
      You are viewing <strong className="font-medium">{find(app.id)?.label}</strong>
      {production !== app.id && staging !== app.id && ", which vehicles do not receive"}.
    </>
  );
}

function VersionLink({ version, current }: Readonly<{ version: DetailVersion; current: number }>): ReactNode {
  if (version.id === current) return <strong className="font-medium">{version.label}</strong>;
  return <Link href={`/applications/${version.id}`}>{version.label}</Link>;
}

function Since({ version, acceptedAt }: Readonly<{ version: DetailVersion; acceptedAt: string | null }>) {
  return (
    <span className="text-muted">
      ({acceptedAt === null ? "received " : "approved "}
      <TimeAgo at={acceptedAt ?? version.receivedAt} />)
    </span>
  );
}

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
            <ApprovalChip state={approvalStatus} />
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
