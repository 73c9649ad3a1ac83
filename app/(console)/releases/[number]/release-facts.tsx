import { Link } from "@/app/_components/ui/link";
import { FactList } from "@/app/_components/ui/fact-list";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/author";
import { CheckList } from "@/app/_releases/check-list";
import { kindLabels } from "@/app/_releases/labels";
import type { ReleaseJson } from "@/lib/content/releases/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";

export function ReleaseFacts({ release }: Readonly<{ release: ReleaseJson }>) {
  const { kind, author, at, revision, note, item_count: count, returned_to: target, approved_by: approvedBy } = release;
  return (
    <Section title="About this release" flush>
      <FactList
        facts={[
          ["Kind", kindLabels[kind]],
          ...(target === null
            ? []
            : [
                [
                  "Rolled back to",
                  <Link key="target" href={`/releases/${target}`}>
                    Release #{target}
                  </Link>,
                ] as const,
              ]),
          ["By", <Author key="author" author={author} />],
          ...(approvedBy === null ? [] : [["Approved by", <Author key="approved" author={approvedBy} />] as const]),
          ["When", <TimeAgo key="at" at={at} />],
          ["Items", formatNumber(count)],
          ["Policy revision", String(revision)],
          ...(note === null
            ? []
            : [
                [
                  "Note",
                  <span key="note" className="whitespace-pre-line">
                    {note}
                  </span>,
                ] as const,
              ]),
        ]}
      />
    </Section>
  );
}

export function ReleaseFindings({ release: { findings, reason } }: Readonly<{ release: ReleaseJson }>) {
  if (findings.length === 0) return null;
  return (
    <Section title="Published despite problems" description={reason ?? undefined} flush>
      <CheckList checks={findings} />
    </Section>
  );
}
