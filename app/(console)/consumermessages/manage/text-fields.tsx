import { TextAreaField, TextField } from "@/app/_components/fields/text-field";
import { mainLanguage, messageTextFields, type MessageTextField } from "@/lib/vocabulary/terms";
import {
  fieldNames,
  memberOf,
  type MessageDraft,
  readText,
  changeTexts,
  emptyTexts,
  hasLanguage,
  isLanguageChanged,
  listFilledLanguages,
  readTexts,
  type LanguagePart,
} from "../message-draft";
import { Fragment } from "react";
import { CopyPlus, Eraser, type LucideIcon, RotateCcw, Trash2 } from "lucide-react";
import { Menu } from "@/app/_components/overlay/menu";
import { Button, type ButtonProps } from "@/app/_components/ui/button";

const hints = {
  tts: "What the head unit says aloud.",
  line1: "First line on the screen.",
  line2: "Second line on the screen.",
  textBody: "The long text, on screens that have room for it.",
  label: "Short name in lists, such as the list of permissions.",
} as const satisfies Record<MessageTextField, string>;
const oneLine: readonly MessageTextField[] = ["line1", "line2", "label"];

export function TextFields({
  languageId,
  draft,
  onText,
}: Readonly<{
  languageId: string;
  draft: MessageDraft;
  /** Undefined: read-only. */
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

/** Highlights placeholders, because they must stay unchanged. */
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

export function LanguageActs({
  language: { id, name },
  order,
  draft: { value, base, changed },
  onChange,
  onChangeAll,
}: Readonly<
  LanguagePart & {
    /** For actions that remove their own button. */
    onChangeAll: (members: MessageDraft) => void;
  }
>) {
  const isUsed = hasLanguage(value, id);
  const sources = listFilledLanguages(value, order).filter((language) => language.id !== id);
  return (
    <div className="flex flex-wrap items-center gap-1 max-sm:order-last max-sm:w-full">
      {isLanguageChanged(changed, id) && (
        <Act icon={RotateCcw} words="Reset" onClick={() => onChangeAll(changeTexts(id, readTexts(base, id)))} />
      )}
      {sources.length > 0 && (
        <Menu
          trigger={<Act icon={CopyPlus} words="Copy from…" />}
          entries={sources.map((source) => ({
            label: `${source.name} · ${source.id}`,
            onSelect: () => onChange(changeTexts(id, readTexts(value, source.id))),
          }))}
        />
      )}
      {isUsed && <Act icon={Eraser} words="Clear" onClick={() => onChange(changeTexts(id, emptyTexts))} />}
      {isUsed && id !== mainLanguage && (
        <Act
          icon={Trash2}
          words="Remove"
          aria-label={`Remove ${name}`}
          onClick={() => onChangeAll(changeTexts(id, null))}
        />
      )}
    </div>
  );
}

function Act({ icon: Icon, words, ...rest }: Readonly<ButtonProps & { icon: LucideIcon; words: string }>) {
  return (
    <Button size="sm" variant="ghost" {...rest}>
      <Icon aria-hidden="true" />
      {words}
    </Button>
  );
}
