"use client";
import { fieldId } from "@/app/_components/fields/field";
import { isDialogOpen } from "@/app/_components/hooks/is-typing";
import { isCommand, useListener } from "@/app/_components/hooks/use-listener";
import type { NamedLanguage } from "@/lib/labels/language-names";
import { messageTextFields, type MessageTextField } from "@/lib/labels/vocabulary";
import { memberOf } from "../message-draft";

/** Ctrl/Cmd with the arrows down and up leads to the next and the previous language, and says which field has the focus. */
export function useLanguageKeys(
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
