import { changeSigns } from "@/app/_components/diff/change-sign";
import { cn } from "@/app/_components/ui/cn";
import type { FieldChangeJson } from "@/lib/releases/answer-schema";

/** One line of JSON: unchanged, removed or added. */
interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly depth: number;
  readonly text: string;
}

interface Branch {
  readonly branches: Map<string, Branch>;
  change: FieldChangeJson | null;
}
const newBranch = (): Branch => ({ branches: new Map(), change: null });

const looks = { " ": "", "-": changeSigns.removed.className, "+": changeSigns.added.className } as const;
const indents = ["pl-0", "pl-4", "pl-8", "pl-12", "pl-16", "pl-20"] as const;

export function JsonDiff({ fields, label }: Readonly<{ fields: readonly FieldChangeJson[]; label: string }>) {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-[60dvh] overflow-auto rounded-b-card py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
    >
      {buildDiffLines(fields).map(({ sign, depth, text }, index) => (
        <span key={index} className={cn("flex gap-2 px-4", looks[sign])}>
          <span className="shrink-0 select-none">{sign === "-" ? "−" : sign}</span>
          <span className={indents[Math.min(depth, indents.length - 1)]}>{text}</span>
        </span>
      ))}
    </pre>
  );
}

/** The changed fields within their JSON, without what did not change. */
export function buildDiffLines(fields: readonly FieldChangeJson[]): readonly DiffLine[] {
  const root = newBranch();
  for (const field of fields) {
    let at = root;
    for (const name of field.path.split(".")) {
      const next = at.branches.get(name) ?? newBranch();
      at.branches.set(name, next);
      at = next;
    }
    at.change = field;
  }
  return listLines(root, 0);
}

function listLines({ branches }: Branch, depth: number): DiffLine[] {
  return [...branches].flatMap(([name, branch]) => {
    const key = JSON.stringify(name);
    const own = branch.change === null ? [] : listChange(key, branch.change, depth);
    if (branch.branches.size === 0) return own;
    return [
      ...own,
      { sign: " ", depth, text: `${key}: {` },
      ...listLines(branch, depth + 1),
      { sign: " ", depth, text: "}" },
    ];
  });
}

function listChange(key: string, { before, after }: FieldChangeJson, depth: number): DiffLine[] {
  const lines = (sign: "-" | "+", value: unknown): DiffLine[] => {
    if (value === undefined || value === null) return [];
    return `${key}: ${JSON.stringify(value, null, 2)}`.split("\n").map((text) => ({ sign, depth, text }));
  };
  return [...lines("-", before), ...lines("+", after)];
}
