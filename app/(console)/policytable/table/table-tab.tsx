import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Findings } from "@/app/_components/feedback/findings";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { Section } from "@/app/_components/ui/section";
import { outlineTable, type SectionOutline } from "@/lib/policy/outline";
import { buildPreview } from "@/lib/policy/preview";
import { findServices } from "@/lib/policy/services";
import { listFindings, whenFollowed } from "@/lib/policy/status";
import { loadSettings } from "@/lib/platform/settings";
import type { Environment } from "@/lib/vocabulary/terms";
import { PolicyTable } from "./policy-table";
import { Link } from "@/app/_components/ui/link";
import { formatNumber } from "@/lib/vocabulary/format-number";

/** In characters; browsers fetch longer tables after the page, so that the table of contents shows first. */
const longestInPage = 400_000;

interface TabQuery {
  readonly environment: Environment;
  readonly path: string;
  readonly search: string;
}

export async function TableTab({ environment, path, search }: Readonly<TabQuery>) {
  const { publicBaseUrl } = loadSettings();
  await whenFollowed();
  const findings = listFindings(environment);
  const policy = findServices()?.runtime.policy(environment);
  const address = `${publicBaseUrl}/api/v1/${environment}/policy`;
  return (
    <>
      {findings.length > 0 && (
        <Section
          id="findings"
          title="Problems head units would report"
          description="In this table and in the app entries requested so far. A head unit that refuses one value refuses the whole table."
          className="mb-4"
        >
          <Findings findings={findings} />
        </Section>
      )}
      {policy ? (
        <Table data={buildPreview(policy)[0]} {...{ environment, address, path, search }} />
      ) : (
        <EmptyState title="No policy table yet">
          The server is compiling the first table. This takes a few seconds after a start.
        </EmptyState>
      )}
    </>
  );
}

function Table({
  data,
  environment,
  address,
  path,
  search,
}: Readonly<TabQuery & { data: { readonly policy_table: object }; address: string }>) {
  const sections = outlineTable(data.policy_table);
  const isShort = sections.reduce((sum, { bytes }) => sum + bytes, 0) <= longestInPage;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div className="space-y-4">
        <SectionIndex sections={sections} environment={environment} />
        <div className="rounded-card border border-line bg-surface px-4 py-3 text-table">
          <h2 className="font-semibold">Head units send requests to</h2>
          <p className="mt-1 flex items-start gap-1">
            <code className="min-w-0 grow font-mono text-xs break-all text-muted">
              <span className="font-semibold text-text">POST</span> {address}
            </code>
            <CopyButton text={address} label="Copy address" />
          </p>
        </div>
      </div>
      <PolicyTable
        key={environment}
        environment={environment}
        table={isShort ? data : null}
        firstPath={path}
        firstSearch={search}
      />
    </div>
  );
}

function SectionIndex({
  sections,
  environment,
}: Readonly<{ sections: readonly SectionOutline[]; environment: Environment }>) {
  const total = sections.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <nav aria-label="Sections of the table" className="rounded-card border border-line bg-surface">
      <ul className="divide-y divide-line text-table">
        {sections.map(({ name, count, unit, bytes }) => (
          <li key={name}>
            <Link
              href={`?environment=${environment}&path=policy_table.${name}`}
              className="block px-4 py-2 text-text no-underline hover:bg-hover"
            >
              <span className="block truncate font-mono text-xs font-medium">{name}</span>
              <span className="flex justify-between gap-2 text-muted tabular-nums">
                <span>{`${formatNumber(count)} ${unit}`}</span>
                <span>{kilobytes(bytes)}</span>
              </span>
            </Link>
          </li>
        ))}
        <li className="flex justify-between gap-2 px-4 py-2 text-muted tabular-nums">
          <span>Whole table</span>
          <span>{kilobytes(total)}</span>
        </li>
      </ul>
    </nav>
  );
}

function kilobytes(bytes: number): string {
  const count = bytes / 1000;
  return `${count.toLocaleString("en", { maximumFractionDigits: count < 10 ? 1 : 0 })} kB`;
}
