import { CircleAlert } from "lucide-react";

/** A reason why head units would refuse a policy table. */
export interface Finding {
  readonly path: string;
  readonly message: string;
}

const most = 20;

/** `data.findings` of a refused promotion; null when there are none. */
export function readFindings(data: unknown): readonly Finding[] | null {
  if (typeof data !== "object" || data === null || !("findings" in data) || !Array.isArray(data.findings)) return null;
  const findings = (data.findings as readonly unknown[]).filter(isFinding);
  return findings.length === 0 ? null : findings;
}

function isFinding(value: unknown): value is Finding {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    typeof value.path === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}

/** The faults that a promotion would bring, each with its place in the table. */
export function PromotionFindings({ findings }: Readonly<{ findings: readonly Finding[] }>) {
  const shown = distinct(findings).slice(0, most);
  const rest = distinct(findings).length - shown.length;
  return (
    <>
      <ul className="max-h-64 space-y-2 overflow-y-auto text-table text-text">
        {shown.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="flex gap-2">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
            <span className="min-w-0">
              {message}
              <code className="block font-mono text-xs break-all text-muted">{path}</code>
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p>{`And ${rest} more.`}</p>}
    </>
  );
}

/** Two builds of head units may refuse the same. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
}
