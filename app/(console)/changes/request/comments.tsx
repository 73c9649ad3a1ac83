import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import type { ApprovalJson } from "@/lib/releases/answer-schema";

/** Comments that an earlier version has stored with a request (`people.md` P9a). */
export function Comments({ comments }: Pick<ApprovalJson, "comments">) {
  if (comments.length === 0) return null;
  return (
    <Section title="Comments" flush>
      <ul className="divide-y divide-line text-table">
        {comments.map(({ by, text, at }, index) => (
          <li key={index} className="space-y-0.5 px-4 py-2.5">
            <p className="text-xs text-muted">
              <Author author={by} /> <TimeAgo at={at} />
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
