import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import type { HeadUnitSeverity } from "@/lib/policy/head-unit/head-unit-check";

/** What a head unit would do to a value of a policy table. */
export interface ShownFinding {
  readonly severity: HeadUnitSeverity;
  readonly path: string;
  readonly message: string;
  /** The app whose entry it is about; null and undefined: none, or the one of the page. */
  readonly uuid?: string | null;
}

const looks = {
  refused: { icon: CircleAlert, tone: "text-bad", word: "Refused" },
  stranded: { icon: CircleAlert, tone: "text-bad", word: "Ends updates" },
  danger: { icon: TriangleAlert, tone: "text-warn", word: "Risky" },
  corrected: { icon: Info, tone: "text-calm", word: "Changed" },
} as const;
const most = 20;

/** What head units would refuse, misunderstand or change in a policy table, each with its place. */
export function HeadUnitFindings({ findings }: Readonly<{ findings: readonly ShownFinding[] }>) {
  const each = [...new Map(findings.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
  const rest = each.length - most;
  return (
    <>
      <ul className="space-y-2 text-table">
        {each.slice(0, most).map(({ severity, path, message, uuid }) => {
          const { icon: Icon, tone, word } = looks[severity];
          return (
            <li key={`${path} ${message}`} className="flex gap-2">
              <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
              <span className="min-w-0">
                <span className="font-medium">{word}:</span> {message}{" "}
                {uuid && <Link href={`/applications/${encodeURIComponent(uuid)}`}>Open app</Link>}
                <code className="block font-mono text-xs break-all text-muted">{path}</code>
              </span>
            </li>
          );
        })}
      </ul>
      {rest > 0 && <p className="mt-2 text-table text-muted">{`And ${rest} more.`}</p>}
    </>
  );
}
