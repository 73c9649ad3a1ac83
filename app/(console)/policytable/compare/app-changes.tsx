import { RightChanges } from "@/app/_releases/right-changes";
import { Section } from "@/app/_components/ui/section";
import type { ComparisonAnswer } from "@/lib/simulator/answer-schema";
import type { Environment } from "@/lib/labels/vocabulary";
import { ChangeList } from "./change-list";

/** How the entry of one app differs. */
export function AppChanges({
  app: { uuid, name, before, after, changes, rights },
  names: { from, to },
  environment,
  isReviewable,
}: Readonly<{
  app: ComparisonAnswer["apps"][number];
  names: { readonly from: string; readonly to: string };
  environment: Environment;
  isReviewable: boolean;
}>) {
  const [old, now] = [describeEntry(before), describeEntry(after)];
  const sentence = old === now ? `It gets ${now} in both.` : `From ${old} in ${from} to ${now} in ${to}.`;
  return (
    <Section title={`The entry of ${name ?? uuid}`} description={sentence} flush={changes.length > 0}>
      {rights.length > 0 && (
        <div className="py-2 text-table">
          <RightChanges rights={rights} />
        </div>
      )}
      {changes.length === 0 ? (
        <p className="text-table text-muted">
          {rights.length === 0 ? "Nothing changes for this app." : "Its entry stays the same."}
        </p>
      ) : (
        <ChangeList changes={changes} environment={environment} isReviewable={isReviewable} />
      )}
    </Section>
  );
}

function describeEntry(entry: unknown): string {
  if (entry === null || entry === undefined) return "nothing";
  return entry === "default" ? "what every app gets" : "rights of its own";
}
