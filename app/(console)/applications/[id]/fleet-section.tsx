import { EmptyState } from "@/app/_components/feedback/empty-state";
import { FactList } from "@/app/_components/ui/fact-list";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { ConsentTable } from "@/app/_fleet/consent-table";
import { Count, countWords, sampleText, shareText } from "@/app/_fleet/count";
import { TimeBars } from "@/app/_fleet/time-bars";
import { stepText } from "@/app/_fleet/time-chart";
import { loadSettings } from "@/lib/platform/settings";
import { type AppFiguresOfPage, shownDays } from "./queries";

/** How many requests name the app, how many of its calls are rejected, and what drivers let it do. */
export function FleetSection({ figures, consents }: Readonly<AppFiguresOfPage>) {
  const { total, steps, share } = figures;
  if (total.count === 0) {
    return (
      <EmptyState title="No vehicle has requested this app">{`None in the last ${shownDays} days, in production.`}</EmptyState>
    );
  }
  const { usage } = total;
  const range = `in the last ${shownDays} days, in production`;
  const days = steps.map(({ at }) => at);
  return (
    <>
      <Section
        id="fleet"
        title="Requests that name this app"
        description={`By day, ${range}. ${sampleText(share) ?? ""}`.trim()}
        actions={<Link href="/fleet?range=30d#apps">Fleet</Link>}
        keepsActions
      >
        <p className="mb-2">
          <span className="text-xl font-semibold tabular-nums">
            <Count value={total.count} />
          </span>{" "}
          <span className="text-table text-muted">{`${shareText(total.share)} of all requests`}</span>
        </p>
        <TimeBars
          height={140}
          sentence={`${countWords(total.count, "request")} named this app ${range}, ${shareText(total.share)} of all.`}
          steps={days}
          series={[{ name: "Requests", className: "fill-chart-1", values: steps.map(({ count }) => count ?? 0) }]}
          titleOf={(at) => `${stepText(days[at] ?? "", "day")}: ${countWords(steps[at]?.count ?? null, "request")}`}
        />
      </Section>
      <Section title="Rejected calls" description={`As head units report them by day, ${range}.`}>
        {usage === null ? (
          <p className="text-table text-muted">
            {loadSettings().fleetStatistics === "usage"
              ? "No vehicle has reported how it used this app."
              : "To count how vehicles use apps, set FLEET_STATISTICS=usage."}
          </p>
        ) : (
          <>
            <p className="mb-2">
              <span className="text-xl font-semibold tabular-nums">{usage.rejected_per_report ?? "–"}</span>{" "}
              <span className="text-table text-muted">
                per report, <Count value={usage.rejected} /> in <Count value={usage.reports} /> reports
              </span>
            </p>
            <TimeBars
              height={140}
              sentence={`${countWords(usage.rejected, "rejected call")} in ${countWords(usage.reports, "report")} ${range}.`}
              steps={days}
              series={[{ name: "Rejected", className: "fill-bad", values: steps.map(({ rejected }) => rejected ?? 0) }]}
              titleOf={(at) =>
                `${stepText(days[at] ?? "", "day")}: ${countWords(steps[at]?.rejected ?? null, "rejected call")}`
              }
            />
          </>
        )}
      </Section>
      {usage !== null && (
        <Section title="Usage" description={`Sums of reports ${range}.`} flush>
          <FactList
            facts={[
              ["Minutes in FULL", <Count key="full" value={usage.full} />],
              ["Minutes in LIMITED", <Count key="limited" value={usage.limited} />],
              ["Minutes in BACKGROUND", <Count key="background" value={usage.background} />],
              ["Minutes in NONE", <Count key="none" value={usage.none} />],
              ["Selected by users", <Count key="selections" value={usage.selections} />],
              ["Other rejections", <Count key="refused" value={usage.refused} />],
              ["Removed for bad behavior", <Count key="removed" value={usage.removed} />],
            ]}
          />
        </Section>
      )}
      {consents.length > 0 && (
        <Section title="Consents to its groups" description={`Of all apps that have these groups, ${range}.`} flush>
          <ConsentTable groups={consents} />
        </Section>
      )}
    </>
  );
}
