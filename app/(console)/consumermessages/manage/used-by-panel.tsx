import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { PromptUse } from "@/lib/content/messages/overview";
import { describePlace } from "../describe-place";

/** The functional groups that ask with the message. */
export function UsedByPanel({ uses, className }: Readonly<{ uses: readonly PromptUse[]; className?: string }>) {
  return (
    <Section title="Used by" {...(className === undefined ? {} : { className })}>
      {uses.length === 0 ? (
        <p className="text-table text-muted">
          No functional group asks with it. Head units show it where they know its name.
        </p>
      ) : (
        <ul className="space-y-1 text-table">
          {uses.map((use) => {
            const place = describePlace(use);
            const environment = use.stagingId === null ? "production" : "staging";
            const id = use.stagingId ?? use.productionId ?? 0;
            return (
              <li key={use.name} className="break-words">
                <Link href={`/functionalgroups/manage?id=${id}&environment=${environment}`}>{use.name}</Link>
                {place && <span className="text-muted">{` · ${place}`}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
