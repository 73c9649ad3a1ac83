import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { backdropClass, dialogClass, dialogFooterClass, viewportClass } from "@/app/_components/overlay/dialog-class";
import { useFocusAtOnce } from "@/app/_components/overlay/on-demand";
import type { OpenState } from "@/app/_components/overlay/opener";
import { textInputClass } from "@/app/_components/fields/input-class";
import { useListener } from "@/app/_components/hooks/use-listener";
import { Problem } from "@/app/_components/feedback/problem";

export interface ConfirmQuestion {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly fields?: ReactNode;
  /** "Promote 4 groups" */
  readonly confirmLabel: string;
  /** The dialog waits for it, shows a failure, and closes once it resolves. */
  readonly onConfirm: () => unknown;
  /** For questions with two answers; works like `onConfirm`. */
  readonly alternative?: { readonly label: string; readonly onConfirm: () => unknown } | undefined;
  readonly danger?: boolean;
  /** Must be typed first: the item's name, or `production`. */
  readonly typedWord?: string | undefined;
  readonly disabledReason?: string | null;
  readonly size?: "md" | "lg";
}

export function ConfirmPopup({ open, onOpenChange, ...question }: Readonly<ConfirmQuestion & OpenState>) {
  const [isBusy, setIsBusy] = useState(false);
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        // Cannot be closed while the action runs.
        if (!isBusy) onOpenChange(next);
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Viewport className={viewportClass}>
          <AlertDialog.Popup
            className={dialogClass(question.size ?? "md")}
            initialFocus={false}
            // The button that opened the dialog may be gone with what it was about.
            finalFocus={() => document.querySelector<HTMLElement>("[data-next-focus]") ?? true}
          >
            <Question {...question} isBusy={isBusy} setIsBusy={setIsBusy} close={() => onOpenChange(false)} />
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Remounted each time the dialog opens, so that it forgets old input and errors. */
function Question({
  isBusy,
  setIsBusy,
  close,
  ...question
}: Readonly<ConfirmQuestion & { isBusy: boolean; setIsBusy: (isBusy: boolean) => void; close: () => void }>) {
  const { title, fields, confirmLabel, onConfirm, alternative, danger = false, typedWord, disabledReason } = question;
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const content = useRef<HTMLDivElement>(null);
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

  useFocusAtOnce(() => content.current?.querySelector<HTMLElement>("[data-first]"));
  useListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void confirm();
  });

  return (
    <div ref={content} className="flex min-h-0 flex-col">
      <div className="min-h-0 space-y-4 overflow-y-auto px-5 pt-4 pb-5">
        <div>
          <AlertDialog.Title className="text-base leading-6 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 space-y-2 text-muted">
            {question.children}
          </AlertDialog.Description>
        </div>
        {fields}
        {typedWord !== undefined && <WordField word={typedWord} value={typed} onChange={setTyped} />}
        {disabledReason && <p className="text-table text-muted">{disabledReason}</p>}
        {problem !== null && <Problem error={problem} />}
      </div>
      <footer className={dialogFooterClass}>
        <AlertDialog.Close render={<Button data-first={typedWord === undefined || undefined} disabled={isBusy} />}>
          Cancel
        </AlertDialog.Close>
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

function WordField({
  word,
  value,
  onChange,
}: Readonly<{ word: string; value: string; onChange: (value: string) => void }>) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The field appears once the effect is known; until then, the focus is on "Cancel". The effect stays in view.
    if (document.activeElement?.closest("[role=alertdialog] footer")) input.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-table">
        Type <strong className="font-mono font-semibold wrap-anywhere select-all">{word}</strong> to go on
      </label>
      <input
        id={id}
        ref={input}
        data-first
        value={value}
        autoComplete="off"
        spellCheck={false}
        className={textInputClass}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Ignores whitespace differences that pages don't display. */
function isSameWord(typed: string, word: string): boolean {
  const normal = (text: string) => text.normalize("NFKC").trim().replace(/\s+/gu, " ");
  return normal(typed) === normal(word);
}
