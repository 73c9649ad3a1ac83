import { cn } from "@/app/_components/ui/cn";
import { buildDiffLines } from "@/app/_releases/json-diff-lines";
import type { FieldChangeJson } from "@/lib/content/releases/answer-schema";

const looks = { " ": "", "-": "bg-bad-soft text-bad", "+": "bg-good-soft text-good" } as const;
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
