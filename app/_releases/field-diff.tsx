import { describeValue } from "@/app/_components/form/describe-value";
import { cn } from "@/app/_components/ui/cn";
import { Breakable } from "@/app/_components/ui/breakable";
import { describePath, type ListedWord, mergeWords } from "@/app/_releases/field-labels";
import type { FieldChangeJson } from "@/lib/content/releases/answer-schema";

/** More than this is a file, not a diff to be read. */
const max = 300;

/** Fields before and after. Removed and added are told by marks and words, not by colour alone. */
export function FieldDiff({ fields, empty }: Readonly<{ fields: readonly FieldChangeJson[]; empty: string }>) {
  if (fields.length === 0) return <p className="px-4 py-3 text-table text-muted">{empty}</p>;
  return (
    <>
      <dl className="divide-y divide-line text-table">
        {fields.slice(0, max).map(({ path, before, after }) => (
          <div key={path} className="grid gap-x-4 gap-y-1 px-4 py-2 lg:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="font-medium" title={path}>
              <Breakable text={describePath(path)} />
            </dt>
            <dd className="min-w-0">
              <Values before={before} after={after} />
            </dd>
          </div>
        ))}
      </dl>
      {fields.length > max && (
        <p className="border-t border-line px-4 py-2 text-table text-muted">{`And ${fields.length - max} more fields.`}</p>
      )}
    </>
  );
}

function Values({ before, after }: Readonly<{ before?: unknown; after?: unknown }>) {
  const words = mergeWords(before, after);
  if (words !== null) {
    return (
      <ul className="flex flex-wrap gap-1">
        {words.map((word) => (
          <Word key={word.word} {...word} />
        ))}
      </ul>
    );
  }
  return (
    <div className="space-y-1">
      {before != null && (
        <Line sign="−" word="Before: " className="bg-bad-soft text-bad">
          <del className="no-underline">{describeValue(before)}</del>
        </Line>
      )}
      {after != null && (
        <Line sign="+" word="Now: " className="bg-good-soft text-good">
          <ins className="no-underline">{describeValue(after)}</ins>
        </Line>
      )}
    </div>
  );
}

function Line({
  sign,
  word,
  className,
  children,
}: Readonly<{ sign: string; word: string; className: string; children: React.ReactNode }>) {
  return (
    <p className={cn("flex gap-2 rounded-control px-2 py-0.5", className)}>
      <span aria-hidden="true" className="font-mono select-none">
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-line">{children}</span>
    </p>
  );
}

const wordLooks = {
  kept: { sign: "", said: "", className: "border-line text-muted" },
  added: { sign: "+", said: "added: ", className: "border-good-line bg-good-soft text-good" },
  removed: { sign: "−", said: "removed: ", className: "border-bad-line bg-bad-soft text-bad" },
} as const;

function Word({ word, state }: Readonly<ListedWord>) {
  const { sign, said, className } = wordLooks[state];
  return (
    <li className={cn("flex gap-1 rounded-full border px-2 text-xs leading-5", className)}>
      {sign !== "" && (
        <span aria-hidden="true" className="font-mono">
          {sign}
        </span>
      )}
      {said !== "" && <span className="sr-only">{said}</span>}
      <span className="wrap-anywhere">{word}</span>
    </li>
  );
}
