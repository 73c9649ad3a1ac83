import { TextAreaField } from "@/app/_components/fields/text-area-field";
import { TextField } from "@/app/_components/fields/text-field";
import { mainLanguage } from "@/lib/content/messages/completeness";
import { messageTextFields, type MessageTextField } from "@/lib/labels/vocabulary";
import { fieldNames, memberOf, type MessageDraft, readText } from "../message-draft";
import { Fragment } from "react";

const hints = {
  tts: "What the head unit says aloud.",
  line1: "First line on the screen.",
  line2: "Second line on the screen.",
  textBody: "The long text, on screens that have room for it.",
  label: "Short name in lists, such as the list of permissions.",
} as const satisfies Record<MessageTextField, string>;
const oneLine: readonly MessageTextField[] = ["line1", "line2", "label"];

/** The texts of a message in one language, each beside the English one. */
export function TextFields({
  languageId,
  draft,
  onText,
}: Readonly<{
  languageId: string;
  draft: MessageDraft;
  /** Undefined: the texts are only read. */
  onText: ((field: MessageTextField, text: string) => void) | undefined;
}>) {
  const isMain = languageId === mainLanguage;
  return (
    <div className="divide-y divide-line">
      {messageTextFields.map((field) => {
        const value = readText(draft, languageId, field);
        const Control = oneLine.includes(field) ? TextField : TextAreaField;
        return (
          <div
            key={field}
            className={isMain ? "px-4 py-3" : "grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-2"}
          >
            {!isMain && <EnglishText text={readText(draft, mainLanguage, field)} />}
            <Control
              label={fieldNames[field]}
              name={memberOf(languageId, field)}
              hint={isMain ? hints[field] : undefined}
              aside={value === "" ? undefined : `${value.length} characters`}
              value={value}
              onChange={onText && ((text) => onText(field, text))}
              dir="auto"
              lang={languageId}
              spellCheck
              autoComplete="off"
              className={isMain ? "max-w-2xl" : ""}
            />
          </div>
        );
      })}
    </div>
  );
}

/** The English text beside its translation; placeholders, which must stay as they are, stand out. */
function EnglishText({ text }: Readonly<{ text: string }>) {
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
