"use client";
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import type { ConfirmQuestion } from "@/app/_components/overlay/confirm-dialog";
import { backdropClass, dialogClass, dialogFooterClass, viewportClass } from "@/app/_components/overlay/dialog-class";
import { textInputClass } from "@/app/_components/fields/input-class";
import { Problem } from "@/app/_components/feedback/problem";

/** The question itself. */
export function ConfirmDialogLayer({
  open,
  onOpenChange,
  ...question
}: Readonly<
  ConfirmQuestion & {
    open: boolean;
    onOpenChange: (open: boolean) => void;
    /** Whether it was confirmed by keys before it was there; says so once. */
    takeEarlyConfirm: () => boolean;
  }
>) {
  const [isBusy, setIsBusy] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const word = useRef<HTMLInputElement>(null);
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        // While it acts it cannot be left.
        if (!isBusy) onOpenChange(next);
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Viewport className={viewportClass}>
          <AlertDialog.Popup
            className={dialogClass("md")}
            initialFocus={question.typedWord === undefined ? cancel : word}
          >
            <Question
              {...question}
              cancelRef={cancel}
              wordRef={word}
              isBusy={isBusy}
              setIsBusy={setIsBusy}
              close={() => onOpenChange(false)}
            />
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Mounted anew each time the dialog opens: what was typed and what went wrong is forgotten. */
function Question({
  title,
  children,
  fields,
  confirmLabel,
  cancelLabel = "Cancel",
  onConfirm,
  alternative,
  danger = false,
  typedWord,
  disabledReason,
  cancelRef,
  wordRef,
  isBusy,
  setIsBusy,
  takeEarlyConfirm,
  close,
}: Readonly<
  ConfirmQuestion & {
    cancelRef: React.Ref<HTMLButtonElement>;
    wordRef: React.Ref<HTMLInputElement>;
    isBusy: boolean;
    setIsBusy: (isBusy: boolean) => void;
    takeEarlyConfirm: () => boolean;
    close: () => void;
  }
>) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const isOff = Boolean(disabledReason) || (typedWord !== undefined && !isSameWord(typed, typedWord));

  async function confirm(act = onConfirm) {
    if (isOff || isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      await act();
      setIsBusy(false);
      close();
    } catch (error) {
      setIsBusy(false);
      setProblem(error);
    }
  }

  const latest = useRef({ confirm, takeEarlyConfirm });
  useEffect(() => {
    latest.current = { confirm, takeEarlyConfirm };
  });
  useEffect(() => {
    if (latest.current.takeEarlyConfirm()) void latest.current.confirm();
    // On the document: the focus comes into the dialog a moment after it can be seen.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void latest.current.confirm();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <div className="flex min-h-0 flex-col">
      <div className="min-h-0 space-y-4 overflow-y-auto px-5 pt-4 pb-5">
        <div>
          <AlertDialog.Title className="text-base leading-6 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 space-y-2 text-muted">
            {children}
          </AlertDialog.Description>
        </div>
        {fields}
        {typedWord !== undefined && (
          <div className="space-y-1.5">
            <label htmlFor={id} className="block text-table">
              Type <strong className="font-mono font-semibold wrap-anywhere select-all">{typedWord}</strong> to go on
            </label>
            <input
              ref={wordRef}
              id={id}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              className={textInputClass}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        {disabledReason && <p className="text-table text-bad">{disabledReason}</p>}
        {problem !== null && <Problem error={problem} />}
      </div>
      <footer className={dialogFooterClass}>
        <AlertDialog.Close render={<Button ref={cancelRef} disabled={isBusy} />}>{cancelLabel}</AlertDialog.Close>
        {alternative && (
          <Button needsServer disabled={isOff || isBusy} onClick={() => void confirm(alternative.onConfirm)}>
            {alternative.label}
          </Button>
        )}
        <Button
          variant={danger ? "danger" : "primary"}
          needsServer
          busy={isBusy}
          disabled={isOff}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </Button>
      </footer>
    </div>
  );
}

/** Whether a word has been typed: blanks count as a page shows them, or some names could not be typed. */
function isSameWord(typed: string, word: string): boolean {
  const normal = (text: string) => text.normalize("NFKC").trim().replace(/\s+/gu, " ");
  return normal(typed) === normal(word);
}
