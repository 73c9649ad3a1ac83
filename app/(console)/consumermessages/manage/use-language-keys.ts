"use client";
import { useEffect, useRef } from "react";
import { fieldId } from "@/app/_components/fields/field";
import type { NamedLanguage } from "@/lib/messages/language-names";
import { messageTextFields, type MessageTextField } from "@/lib/words/vocabulary";
import { memberOf } from "../message-draft";

/** Ctrl/Cmd with the arrows down and up leads to the next and the previous language, and says which field has the focus. */
export function useLanguageKeys(
  order: readonly NamedLanguage[],
  languageId: string,
  onMove: (languageId: string, field: MessageTextField) => void,
): void {
  const move = useRef<(step: 1 | -1) => boolean>(() => false);
  useEffect(() => {
    move.current = (step) => {
      const target = order[order.findIndex(({ id }) => id === languageId) + step];
      if (target !== undefined) onMove(target.id, findFocusedField(languageId) ?? "tts");
      return target !== undefined;
    };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      if (document.querySelector("[role=dialog], [role=alertdialog], [role=listbox]") !== null) return;
      if (move.current(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function findFocusedField(languageId: string): MessageTextField | null {
  const focused = document.activeElement;
  return (
    messageTextFields.find((field) =>
      document.getElementById(fieldId(memberOf(languageId, field)))?.contains(focused),
    ) ?? null
  );
}
