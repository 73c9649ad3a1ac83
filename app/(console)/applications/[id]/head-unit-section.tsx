import { Findings } from "@/app/_components/feedback/findings";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import type { PolicySegments } from "@/lib/apps/applications/policy-segments";
import type { ApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { environments } from "@/lib/vocabulary/terms";

export function HeadUnitSection({
  detail: { cuts, holds },
  segments,
}: Readonly<{ detail: ApplicationDetail; segments: PolicySegments | null }>) {
  const findings = segments?.findings ?? [];
  if (cuts.length === 0 && holds.length === 0 && findings.length === 0) return null;
  return (
    <Section
      id="head-units"
      title="Head units"
      description="Problems head units would report for this app. A head unit that refuses one value refuses the whole table."
    >
      <div className="space-y-4">
        {holds.length > 0 && (
          <Notice
            tone="warn"
            title="Automatic approval stopped at this version because head units would refuse the policy table"
          >
            <ul className="list-disc pl-5">
              {holds.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </Notice>
        )}
        {cuts.length > 0 && (
          <div>
            <h3 className="text-table font-semibold">Shortened or left out from the app directory’s record</h3>
            <ul className="mt-1 space-y-1 text-table">
              {cuts.map(({ field, what }) => (
                <li key={`${field} ${what}`}>
                  <code className="font-mono text-xs break-all">{field}</code>: {what}
                </li>
              ))}
            </ul>
          </div>
        )}
        {environments.map((name) => {
          const found = findings.filter(({ environment }) => environment === name);
          if (found.length === 0) return null;
          return (
            <div key={name}>
              <h3 className="mb-1 text-table font-semibold">{`The entry in ${name}`}</h3>
              <Findings findings={found} />
            </div>
          );
        })}
      </div>
    </Section>
  );
}
