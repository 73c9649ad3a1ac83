import { Fragment } from "react";
import { mainLanguage } from "@/lib/content/messages/completeness";

/** The English text beside its translation; placeholders, which must stay as they are, stand out. */
export function EnglishText({ text }: Readonly<{ text: string }>) {
  return (
    <div className="min-w-0 text-table">
      <p className="mb-1.5 text-xs text-muted">English (United States)</p>
      {text === "" ? (
        <p className="text-muted italic">No text</p>
      ) : (
        <p lang={mainLanguage} className="break-words whitespace-pre-wrap">
          {text.split(/(%[A-Za-z][A-Za-z0-9_]*%)/).map((part, index) =>
            index % 2 === 0 ? (
              <Fragment key={index}>{part}</Fragment>
            ) : (
              <code key={index} className="rounded-xs bg-accent-soft px-0.5 font-mono text-xs text-link">
                {part}
              </code>
            ),
          )}
        </p>
      )}
    </div>
  );
}
