import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { fieldId } from "@/app/_components/fields/field";
import { FieldErrorsContext } from "@/app/_components/form/field-errors";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { NamedLanguage } from "@/lib/vocabulary/language-names";
import { mainLanguage, messageTextFields, type MessageTextField } from "@/lib/vocabulary/terms";
import {
  changeText,
  isLanguageChanged,
  rateLanguage,
  type LanguagePart,
  memberOf,
  type MessageDraft,
} from "../message-draft";
import { LanguageActs, TextFields } from "./text-fields";
import { LanguageState } from "./language-list";
import { isDialogOpen } from "@/app/_components/hooks/is-typing";
import { isCommand, useListener } from "@/app/_components/hooks/use-listener";

export function LanguageEditor(part: Readonly<LanguagePart>) {
  const { order, problems, isReadOnly, onChange, onChoose } = part;
  const { id, name } = part.language;
  const { value, base, changed } = part.draft;
  const place = order.findIndex((language) => language.id === id);
  const [previous, next] = [order[place - 1], order[place + 1]];
  const wantedField = useRef<MessageTextField | null>(null);
  const isMissing = rateLanguage(value, id).state === "missing";
  const isChanged = isLanguageChanged(changed, id);

  useLanguageKeys(order, id, (languageId, field) => {
    wantedField.current = field;
    onChoose(languageId);
  });
  /** The button disappears, so the focus moves to the texts. */
  function changeAll(members: MessageDraft) {
    onChange(members);
    focusField(id, "tts");
  }
  useEffect(() => {
    // With the keyboard, the reader stays in the same field of the next language.
    if (wantedField.current === null) return;
    focusField(id, wantedField.current);
    wantedField.current = null;
  }, [id]);

  return (
    <section aria-labelledby="language-title" className="min-w-0 rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2.5">
        <div className="min-w-0 grow">
          <h2 id="language-title" className="text-sm leading-6 font-semibold">
            {name} <span className="font-mono text-xs font-normal text-muted">{`· ${id}`}</span>
          </h2>
          <LanguageState draft={value} languageId={id} isWrong={hasProblem(problems, id)} isChanged={isChanged} />
        </div>
        {!isReadOnly && <LanguageActs {...part} onChangeAll={changeAll} />}
        <div className="flex items-center">
          <IconButton
            icon={ChevronUp}
            size="icon-sm"
            label="Previous language (Ctrl ↑)"
            disabled={!previous}
            onClick={() => {
              if (previous) onChoose(previous.id);
            }}
          />
          <IconButton
            icon={ChevronDown}
            size="icon-sm"
            label="Next language (Ctrl ↓)"
            disabled={!next}
            onClick={() => {
              if (next) onChoose(next.id);
            }}
          />
        </div>
      </header>
      {!isReadOnly && id === mainLanguage && (
        <p className="border-b border-line px-4 py-2 text-table text-muted">
          English cannot be removed: head units refuse a policy table with a message that lacks it.
        </p>
      )}
      {isMissing && (
        <p className="border-b border-line px-4 py-2 text-table text-muted">
          {id === mainLanguage
            ? "This message has no English text. Head units show nothing in English, and nothing instead of a missing language."
            : `This message has no ${name} text, so vehicles don’t get this language. Head units in PROPRIETARY or HTTP mode show the English text, those in EXTERNAL_PROPRIETARY mode an empty one.`}
        </p>
      )}
      {/* Present problems, not those of the last save. */}
      <FieldErrorsContext value={problems}>
        <TextFields
          languageId={id}
          draft={value}
          onText={
            isReadOnly ? undefined : (field, text) => onChange(changeText(value, base, { languageId: id, field, text }))
          }
        />
      </FieldErrorsContext>
    </section>
  );
}

function focusField(languageId: string, field: MessageTextField): void {
  const place = document.getElementById(fieldId(memberOf(languageId, field)));
  place?.querySelector<HTMLElement>("input, textarea")?.focus();
}

function hasProblem(problems: Readonly<Record<string, string>>, languageId: string): boolean {
  return messageTextFields.some((field) => memberOf(languageId, field) in problems);
}

/** Ctrl/Cmd with the down and up arrows; passes on the focused field. */
function useLanguageKeys(
  order: readonly NamedLanguage[],
  languageId: string,
  onMove: (languageId: string, field: MessageTextField) => void,
): void {
  useListener("keydown", (event) => {
    if (!isCommand(event) || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    if (isDialogOpen() || document.querySelector("[role=listbox]") !== null) return;
    const step = event.key === "ArrowDown" ? 1 : -1;
    const target = order[order.findIndex(({ id }) => id === languageId) + step];
    if (target === undefined) return;
    event.preventDefault();
    onMove(target.id, findFocusedField(languageId) ?? "tts");
  });
}

function findFocusedField(languageId: string): MessageTextField | null {
  const focused = document.activeElement;
  return (
    messageTextFields.find((field) =>
      document.getElementById(fieldId(memberOf(languageId, field)))?.contains(focused),
    ) ?? null
  );
}
