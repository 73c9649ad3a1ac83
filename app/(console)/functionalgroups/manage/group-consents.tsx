import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { Count, sampleText, shareText } from "@/app/_fleet/count";
import { ShareBar } from "@/app/_fleet/share-bar";
import { consentDays, type GroupConsent } from "./queries";

/** What drivers answered when they were asked about a group (`fleet.md` S9). */
export function GroupConsents({ consents: group }: Readonly<{ consents: GroupConsent }>) {
  const { yes, no, share, sample } = group;
  return (
    <Section
      title="Consents"
      description={`What drivers answered in the last ${consentDays} days, in production. ${sampleText(sample) ?? ""}`.trim()}
      actions={<Link href="/fleet?range=30d#consents">Fleet</Link>}
      keepsActions
    >
      <div className="flex items-center gap-4 text-table">
        <ShareBar share={share} className="fill-chart-2" rest="fill-chart-3" />
        <p className="shrink-0">
          <strong className="font-semibold">{shareText(share)}</strong> yes
          <span className="text-muted">
            {" "}
            (<Count value={yes} /> yes, <Count value={no} /> no)
          </span>
        </p>
      </div>
    </Section>
  );
}
