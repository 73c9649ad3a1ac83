import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import type { HeadUnitSeverity } from "@/lib/policy/head-unit/head-unit-check";

export interface Finding {
  /** Undefined: head units would refuse the table. */
  readonly severity?: HeadUnitSeverity;
  readonly path: string;
  readonly message: string;
  /** The app of the entry; null or undefined: none, or the page's app. */
  readonly uuid?: string | null;
}

const looks = {
  refused: { icon: CircleAlert, tone: "text-bad", word: "Refused" },
  stranded: { icon: CircleAlert, tone: "text-bad", word: "Ends updates" },
  danger: { icon: TriangleAlert, tone: "text-warn", word: "Risky" },
  corrected: { icon: Info, tone: "text-calm", word: "Changed" },
} as const;
const maxShown = 20;

/** Null if there are none. */
export function readFindings(data: unknown): readonly Finding[] | null {
  if (typeof data !== "object" || data === null || !("findings" in data) || !Array.isArray(data.findings)) return null;
  const findings = (data.findings as readonly unknown[]).flatMap(readFinding);
  return findings.length === 0 ? null : findings;
}

function readFinding(value: unknown): readonly Finding[] {
  if (typeof value !== "object" || value === null || !("path" in value) || !("message" in value)) return [];
  const { path, message } = value;
  return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
}

export function Findings({ findings }: Readonly<{ findings: readonly Finding[] }>) {
  // Two head unit versions may report the same.
  const each = [...new Map(findings.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
  const rest = each.length - maxShown;
  return (
    <>
      <ul className="space-y-2 text-table text-text">
        {each.slice(0, maxShown).map(({ severity, path, message, uuid }) => {
          const { icon: Icon, tone, word } = looks[severity ?? "refused"];
          return (
            <li key={`${path} ${message}`} className="flex gap-2">
              <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
              <span className="min-w-0">
                {severity && <span className="font-medium">{word}: </span>}
                {message} {uuid && <Link href={`/applications/${encodeURIComponent(uuid)}`}>Open app</Link>}
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
