import { SearchBox } from "./app-search";
import { describeLevels, type MarkedLevels, markedLevels, markLevels } from "@/app/_components/rights/level-marks";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Pagination } from "@/app/_components/list/pagination";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { Breakable } from "@/app/_components/ui/breakable";
import { Link } from "@/app/_components/ui/link";
import { LinkButton } from "@/app/_components/ui/link-button";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { Section } from "@/app/_components/ui/section";
import { type PermissionUseAnswer, type UseFilter, useFilters } from "@/app/(console)/rpcs/schema";
import { environments } from "@/lib/vocabulary/terms";
import type { ReactNode } from "react";

const headClass = "whitespace-nowrap max-sm:px-1.5";

type App = PermissionUseAnswer["apps"][number];
type Use = App["staging"];
interface Query {
  readonly q?: string | undefined;
  readonly apps?: UseFilter | undefined;
  readonly after: number;
}

const filterLabels: Readonly<Record<UseFilter, string>> = {
  requested: "Requested",
  production: "In production",
  staging: "In staging",
  withheld: "Not given",
  lost: "Lost",
};

export function AppsSection({
  use: { apps, counts, total, after, every_app: everyApp },
  path,
  query: { q, apps: filter },
}: Readonly<{ use: PermissionUseAnswer; path: string; query: Query }>) {
  const hrefOf = (query: { readonly apps?: string | undefined; readonly after?: number; readonly q?: string }) => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
  };
  const kept = { ...(q !== undefined && { q }), ...(filter !== undefined && { apps: filter }) };
  const next = after + apps.length;
  const pageStart = Math.max(0, after - 50);
  const everyWhere = environments.filter((name) => isUsed(everyApp[name]));
  return (
    <Section
      title="Apps"
      description={`${markedLevels}. Small: in some head units only. ✕: requested and not given.`}
      flush
    >
      <div className="px-4 pt-3">
        {everyWhere.length > 0 && (
          <p className="mb-3 text-table">
            {`Every app without permissions of its own has it in ${everyWhere.join(" and ")}, through default groups.`}
          </p>
        )}
        <div className="mb-2">
          <SearchBox label="Search apps" />
        </div>
        <LinkTabs
          label="Apps"
          tabs={[
            {
              label: "All",
              href: hrefOf({ ...kept, apps: undefined }),
              isCurrent: filter === undefined,
              count: counts.all,
            },
            ...useFilters.map((name) => ({
              label: filterLabels[name],
              href: hrefOf({ ...kept, apps: name }),
              isCurrent: filter === name,
              count: counts[name],
            })),
          ]}
        />
      </div>
      {apps.length === 0 ? (
        <div className="px-4 pb-4">
          <EmptyState
            title={q === undefined ? "No apps here" : `No app matches “${q}”`}
            action={q === undefined && filter === undefined ? null : <LinkButton href={path}>Show all apps</LinkButton>}
          />
        </div>
      ) : (
        <>
          <PlainTable
            titles={["App", "Requests", "Staging", "Production"]}
            looks={{ Requests: headClass, Staging: headClass, Production: headClass }}
          >
            {apps.map((app) => (
              <AppLine key={app.id} app={app} />
            ))}
          </PlainTable>
          <div className="border-t border-line px-4 pb-3">
            <Pagination
              first={after + 1}
              count={apps.length}
              total={total}
              previousHref={after === 0 ? null : hrefOf({ ...kept, ...(pageStart > 0 && { after: pageStart }) })}
              nextHref={next >= total ? null : hrefOf({ ...kept, after: next })}
            />
          </div>
        </>
      )}
    </Section>
  );
}

const isUsed = ({ levels, differing }: Use) => levels.length + differing.length > 0;

function AppLine({ app }: Readonly<{ app: App }>) {
  const { id, name, vendor, requested, staging, production, is_blocked: isBlocked, lost_in: lostIn } = app;
  const asked = requested && { levels: requested };
  const lacking = requested?.filter((level) => !production.levels.includes(level)) ?? [];
  const isWithheld = lacking.length > 0 || (requested?.length === 0 && !isUsed(production));
  const missing = lacking.length > 0 ? describeLevels({ levels: lacking }) : "any level";
  return (
    <tr className="align-top">
      <th scope="row" className="px-4 py-1.5 font-normal">
        <Link href={`/applications/${id}`} className="font-medium">
          <Breakable text={name} />
        </Link>
        <span className="block text-xs text-muted">
          {vendor}
          {isBlocked && " · blocked"}
        </span>
      </th>
      {requested?.length === 0 ? (
        <td className="px-4 py-1.5 text-xs text-muted max-sm:px-1.5">Any level</td>
      ) : (
        <Levels marked={asked} none="Does not request it" className="text-muted" />
      )}
      <Levels marked={staging} none="Not in staging" />
      <Levels marked={production} none="Not in production">
        {isWithheld && lostIn === null && (
          <span className="block text-bad" title={`Requested and not given: ${missing}`}>
            <span aria-hidden="true">{`✕ ${lacking.length > 0 ? markLevels({ levels: lacking }) : ""}`}</span>
            <span className="sr-only">{`, not at ${missing}`}</span>
          </span>
        )}
        {lostIn !== null && (
          <Link href={`/releases/${lostIn}`} className="block font-sans text-bad">{`− lost in #${lostIn}`}</Link>
        )}
      </Levels>
    </tr>
  );
}

function Levels({
  marked,
  none,
  className = "",
  children,
}: Readonly<{ marked: MarkedLevels | null; none: string; className?: string; children?: ReactNode }>) {
  const words = marked === null || describeLevels(marked) === "" ? none : describeLevels(marked);
  return (
    <td title={words} className={`px-4 py-1.5 font-mono text-xs max-sm:px-1.5 ${className}`}>
      <span aria-hidden="true">{words === none ? "–" : marked && markLevels(marked)}</span>
      <span className="sr-only">{words}</span>
      {children}
    </td>
  );
}
