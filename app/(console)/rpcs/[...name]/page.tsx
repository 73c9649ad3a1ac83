import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AppsSection } from "./apps-section";
import { GroupsSection } from "./groups-section";
import { PermissionLink } from "@/app/_components/rights/permission-link";
import { BackToList } from "@/app/_components/list/back-to-list";
import { Breakable } from "@/app/_components/ui/breakable";
import { Chip } from "@/app/_components/ui/chip";
import { Link } from "@/app/_components/ui/link";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { permissionPath } from "@/app/(console)/rpcs/address";
import { findPermissionUse } from "@/app/(console)/rpcs/queries";
import { type PermissionUseAnswer, useListQuery } from "@/app/(console)/rpcs/schema";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";
import { riskOfParameter, riskOfRpc, riskTitles } from "@/lib/vocabulary/risk";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { AppError } from "@/lib/platform/errors";

type Props = PageProps<"/rpcs/[...name]">;

const readNames = cache(async (params: Props["params"]) => {
  const [rpc = "", parameter = null, ...more] = (await params).name.map(decode);
  if (rpc === "" || more.length > 0) notFound();
  return { rpc, parameter };
});

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    notFound();
  }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { rpc, parameter } = await readNames(params);
  return { title: parameter === null ? `${rpc} · RPCs` : `${parameter} of ${rpc} · RPCs` };
}

export default async function PermissionPage({ params, searchParams }: Props) {
  await requirePage("read");
  const { rpc, parameter } = await readNames(params);
  const path = permissionPath(rpc, parameter);
  const query = requirePageQuery(path, useListQuery, await searchParams);
  const use = await findPermissionUse({ ...query, rpc, parameter: parameter ?? undefined }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "notFound") notFound();
    throw error;
  });
  const risk = parameter === null ? riskOfRpc(rpc) : riskOfParameter(parameter);
  return (
    <>
      <PageHeader
        title={
          <span className="font-mono">
            <Breakable text={parameter ?? rpc} />
          </span>
        }
        back={<BackToList section="/functionalgroups" label="Functional groups" />}
        state={
          <>
            <Chip tone="plain">{parameter === null ? "RPC" : "Parameter"}</Chip>
            {risk !== "other" && <Chip tone="warn">{riskTitles[risk]}</Chip>}
          </>
        }
        description={describe(use)}
      />
      {parameter !== null && (
        <LinkTabs
          label="RPCs with this parameter"
          tabs={use.parents.map((parent) => ({
            label: parent,
            href: permissionPath(parent, parameter),
            isCurrent: parent === rpc,
          }))}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <AppsSection use={use} path={path} query={query} />
        <div className="space-y-4 max-xl:order-first">
          <GroupsSection use={use} />
          <Parameters use={use} />
          <Releases use={use} />
        </div>
      </div>
    </>
  );
}

function describe({ groups: { total }, counts: { production, withheld } }: PermissionUseAnswer): string {
  // In staging or production, and one that forbids it is among them.
  const given = total === 0 ? "In no group" : `In ${plural(total, "group")}`;
  const lacking =
    withheld === 1 ? "1 app requests more than it has" : `${formatNumber(withheld)} apps request more than they have`;
  return `${given}. ${plural(production, "app")} may use it in production${withheld === 0 ? "" : `, ${lacking}`}.`;
}

const maxParameters = 150;

function Parameters({ use: { rpc, parameters } }: Readonly<{ use: PermissionUseAnswer }>) {
  if (parameters.length === 0) return null;
  const more = parameters.length - maxParameters;
  return (
    <Section title="Parameters" description="Select one to see who may use it.">
      <ul className="flex flex-wrap gap-x-3 gap-y-1 font-mono text-xs">
        {parameters.slice(0, maxParameters).map((name) => (
          <li key={name} className="max-w-full wrap-anywhere">
            <PermissionLink rpc={rpc} parameter={name} className="inline-block py-1 text-link" />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-table text-muted">And {more} more.</p>}
    </Section>
  );
}

const maxReleases = 10;

function Releases({ use: { releases } }: Readonly<{ use: PermissionUseAnswer }>) {
  if (releases.length === 0) return null;
  const more = releases.length - maxReleases;
  return (
    <Section
      title="Releases that changed it"
      description="How many apps got or lost it in production, with today’s decisions about apps."
      flush
    >
      <ul className="divide-y divide-line text-table">
        {releases.slice(0, maxReleases).map(({ number, name, at, gained, lost }) => (
          <li key={number} className="flex flex-wrap items-baseline gap-x-3 px-4 py-1.5">
            <Link href={`/releases/${number}`} className="min-w-0 grow wrap-anywhere">
              {`#${number}${name === null ? "" : ` ${name}`}`}
            </Link>
            {gained > 0 && <span className="text-good">{`+ ${plural(gained, "app")}`}</span>}
            {lost > 0 && <span className="text-bad">{`− ${plural(lost, "app")}`}</span>}
            <TimeAgo at={at} className="text-muted" />
          </li>
        ))}
        {more > 0 && <li className="px-4 py-1.5 text-muted">And {plural(more, "earlier release")}.</li>}
      </ul>
    </Section>
  );
}
