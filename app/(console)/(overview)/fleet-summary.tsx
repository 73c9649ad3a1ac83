import type { ReactNode } from "react";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { AdoptionBar, AdoptionLegend, adoptionSentence, listTold } from "@/app/_fleet/adoption-chart";
import { answerKinds, toldKinds } from "@/app/_fleet/answer-kinds";
import { countText, countWords, sampleText, shareText } from "@/app/_fleet/count";
import { ShareBar } from "@/app/_fleet/share-bar";
import { TimeBars } from "@/app/_fleet/time-bars";
import { stepText } from "@/app/_fleet/time-chart";
import { otherValue } from "@/lib/fleet/dimensions";
import type { OverviewAnswer } from "@/app/(console)/(overview)/answer-schema";

type Fleet = NonNullable<OverviewAnswer["fleet"]>;

/** How the fleet is doing (`fleet.md` S7). On a new server, the next steps say what to do instead. */
export function FleetSummary({ fleet, isNew }: Readonly<Pick<OverviewAnswer, "fleet"> & { isNew: boolean }>) {
  if (fleet === null) return isNew ? null : <NoRequests />;
  const sample = sampleText(fleet.adoption.share);
  return (
    <section
      aria-label="Fleet in the last 24 hours"
      className="mb-4 grid divide-line rounded-card border border-line bg-surface max-lg:divide-y lg:grid-cols-3 lg:divide-x"
    >
      <Requests fleet={fleet} />
      <Adoption fleet={fleet} />
      <TopApps fleet={fleet} sample={sample} />
    </section>
  );
}

function NoRequests() {
  return (
    <Section title="Fleet" actions={<Link href="/fleet">Connect vehicles</Link>} className="mb-4" flush>
      <p className="px-4 py-2.5 text-table text-muted">No vehicle has asked yet.</p>
    </Section>
  );
}

function Part({ title, href, children }: Readonly<{ title: string; href: string; children: ReactNode }>) {
  return (
    <div className="min-w-0 px-4 py-2.5">
      <h2 className="mb-1 text-sm leading-6 font-semibold">
        <Link href={href} className="text-text no-underline hover:underline">
          {title}
        </Link>
      </h2>
      {children}
    </div>
  );
}

function Requests({ fleet: { requests, staging } }: Readonly<{ fleet: Fleet }>) {
  const { steps, total } = requests;
  const kinds = toldKinds(requests);
  const others = [
    ...kinds.flatMap(({ kind, name }) => (kind === "table" ? [] : `${countText(total[kind])} ${name.toLowerCase()}`)),
    ...(staging.table === 0 ? [] : [`${countText(staging.table)} in staging`]),
  ];
  return (
    <Part title="Requests in 24 hours" href="/fleet?range=24h#requests">
      <p className="mb-1">
        <span className="text-lg font-semibold tabular-nums">{countText(total.table)}</span>{" "}
        <span className="text-xs text-muted">{["policy tables", ...others].join(" · ")}</span>
      </p>
      <TimeBars
        height={80}
        sentence={`Requests in 24 hours: ${[countWords(total.table, "policy table"), ...others].join(", ")}.`}
        steps={steps.map(({ at }) => at)}
        series={answerKinds.map(({ kind, name, className }) => ({
          name,
          className,
          values: steps.map((one) => one[kind] ?? 0),
        }))}
        titleOf={(at) => {
          const one = steps[at];
          return one === undefined ? "" : `${stepText(one.at, "hour")}: ${countWords(one.table, "policy table")}`;
        }}
      />
    </Part>
  );
}

function Adoption({ fleet: { adoption } }: Readonly<{ fleet: Fleet }>) {
  return (
    <Part title="Releases in vehicles" href="/fleet?range=30d#adoption">
      {listTold(adoption).length === 0 ? (
        <p className="text-table text-muted">{adoptionSentence(adoption)}</p>
      ) : (
        <div className="space-y-2.5 pt-1.5">
          <AdoptionBar figures={adoption} sentence={adoptionSentence(adoption)} />
          <AdoptionLegend figures={adoption} />
        </div>
      )}
    </Part>
  );
}

function TopApps({ fleet: { apps }, sample }: Readonly<{ fleet: Fleet; sample: string | null }>) {
  const greatest = Math.max(0.0001, ...apps.map(({ share }) => share ?? 0));
  return (
    <Part title="Most requested apps" href="/fleet?range=24h#apps">
      {apps.length === 0 ? (
        <p className="text-table text-muted">No app was requested.</p>
      ) : (
        <ul className="text-table">
          {apps.map(({ uuid, name, share }) => (
            <li key={uuid} className="grid grid-cols-[minmax(0,1fr)_5rem_2.75rem] items-center gap-3">
              {uuid === otherValue ? (
                "Other apps"
              ) : (
                <Link
                  href={`/applications/${encodeURIComponent(uuid)}?tab=fleet`}
                  className="truncate py-0.5 text-text no-underline hover:underline pointer-coarse:py-3"
                >
                  {name ?? uuid}
                </Link>
              )}
              <ShareBar share={share === null ? null : share / greatest} />
              <span className="text-right text-muted tabular-nums">{shareText(share)}</span>
            </li>
          ))}
        </ul>
      )}
      {sample !== null && (
        <p className="mt-1.5 text-xs text-muted">{`Releases and apps are ${sample.toLowerCase()}`}</p>
      )}
    </Part>
  );
}
