import { useState } from "react";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import type { OpenState } from "@/app/_components/overlay/opener";
import { TextAreaField } from "@/app/_components/fields/text-field";
import type { DecisionEffects } from "@/lib/apps/applications/console/effect-schema";
import { confirmationOf, type DecidedState, describeDecision, findDecided } from "@/lib/apps/applications/decisions";
import { buildDecisionLabels, labelOf, type Subject } from "./decision-labels";
import { EffectAreas } from "./effect-lines";
import { useStoredText } from "@/app/_components/hooks/use-preference";

export function DecisionQuestion({
  open,
  onOpenChange,
  question,
  subject,
  effects = {},
  onSend,
}: Readonly<
  OpenState & {
    /** Null: closed. */
    question: { readonly next: DecidedState; readonly reason: string } | null;
    subject: Subject;
    effects?: DecisionEffects | undefined;
    onSend: (next: DecidedState, reason: string) => Promise<void>;
  }
>) {
  // Keeps the texts while the dialog closes.
  const [asked, setAsked] = useState(question);
  const [reason, setReason] = useState("");
  if (question !== null && question !== asked) {
    setAsked(question);
    setReason(question.reason);
  }
  const { reasons, remember } = useUsedReasons();
  if (asked === null) return null;
  const { next } = asked;
  const words = buildDecisionLabels(next, subject);
  const { typed } = confirmationOf(subject, next);
  const change = findDecided(effects, next);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      confirmLabel={words.confirm(reason.trim() !== "")}
      danger={words.isDangerous || typed !== null}
      {...(typed !== null && { typedWord: typed === "name" ? subject.name.trim() || "block" : typed })}
      onConfirm={async () => {
        await onSend(next, words.takesReason ? reason : "");
        if (words.takesReason) remember(reason);
      }}
      fields={words.takesReason && <ReasonField value={reason} onChange={setReason} reasons={reasons} />}
    >
      {change && (
        <div className="text-text">
          {change.environment === "staging" && <p>In staging:</p>}
          <EffectAreas effect={change.effect} />
        </div>
      )}
      <Effect sentences={describeDecision(subject, next, ({ id }) => labelOf(subject, id))} />
      {words.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </ConfirmDialog>
  );
}

function Effect({ sentences }: Readonly<{ sentences: readonly string[] }>) {
  return (
    <ul className="space-y-1 text-text">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

export function ReasonField({
  value,
  onChange,
  reasons,
}: Readonly<{ value: string; onChange: (value: string) => void; reasons: readonly string[] }>) {
  return (
    <div className="space-y-2">
      <TextAreaField
        label="Reason (optional)"
        hint="Stored with the version and sent to the app directory with the decision."
        value={value}
        onChange={onChange}
        maxLength={2000}
      />
      {reasons.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5 text-xs">
          <span className="text-muted">Used before:</span>
          {reasons.map((text) => (
            <button
              key={text}
              type="button"
              className="min-h-6 max-w-full truncate rounded-control border border-edge bg-surface px-1.5 hover:bg-hover pointer-coarse:min-h-11"
              onClick={() => onChange(text)}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const maxReasons = 4;

/** WCAG 3.3.7 */
export function useUsedReasons() {
  const [text, store] = useStoredText("decision-reasons");
  const reasons = parse(text);
  return {
    reasons,
    remember: (reason: string) => {
      const given = reason.trim();
      if (given === "") return;
      store(JSON.stringify([given, ...reasons.filter((one) => one !== given)].slice(0, maxReasons)));
    },
  };
}

function parse(text: string | null): string[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
