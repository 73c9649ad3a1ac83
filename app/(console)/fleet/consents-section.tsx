import type { ReactNode } from "react";
import { ConsentTable } from "@/app/_fleet/consent-table";
import type { GroupFigures } from "@/lib/fleet/figures/answer-schema";
import { ChartSection } from "./chart-section";

export function ConsentsSection({
  figures: { groups, share },
  csvHref,
  usageNote,
}: Readonly<{ figures: GroupFigures; csvHref: string; usageNote: ReactNode }>) {
  return (
    <ChartSection
      id="consents"
      title="Consents"
      description="What drivers answered, by functional group."
      share={share}
      csvHref={csvHref}
      flush
    >
      {groups.length === 0 ? (
        <p className="px-4 py-3 text-table text-muted">{usageNote ?? "No vehicle reported a consent in this time."}</p>
      ) : (
        <ConsentTable groups={groups} />
      )}
    </ChartSection>
  );
}
