import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { ApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { summarizeChanges } from "@/lib/apps/applications/console/version-changes";
import { ChangeGroups } from "./change-groups";
import { FirstSubmission } from "./first-submission";

/** What is new in this version against what production serves: what a reviewer looks at first. */
export function ChangesSection({ detail }: Readonly<{ detail: ApplicationDetail }>) {
  const { app, baseline, versions, production } = detail;
  if (baseline === null) return <FirstSubmission detail={detail} />;
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
        <ChangeGroups groups={baseline.changes} />
      )}
    </Section>
  );
}
