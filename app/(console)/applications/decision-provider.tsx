"use client";
import { useRouter, useSearchParams } from "next/navigation";
import { createContext, use, useEffect, useRef, useState, type ReactNode } from "react";
import { FindingsDialog } from "@/app/_components/feedback/findings-dialog";
import { type Finding, readFindings } from "@/app/_components/feedback/findings";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { DecisionEffects } from "@/lib/apps/applications/console/effect-schema";
import {
  buildActionBody,
  confirmationOf,
  type DecidedState,
  decidedState,
  type Decision,
  decisionOf,
  needOfDecision,
  offeredDecisions,
} from "@/lib/apps/applications/decisions";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import type { AppState } from "@/lib/apps/applications/versions";
import type { Need } from "@/lib/vocabulary/roles";
import { approvalStatuses } from "@/lib/vocabulary/terms";
import { DecisionDialog } from "./decision-dialog";
import { buildDecisionLabels, type Subject } from "./decision-labels";
import { ApiError } from "@/lib/platform/http/client";

export interface DecisionDetail {
  readonly app: Pick<
    ApplicationJson,
    | ("id" | "uuid" | "name" | "version_id" | "display_names")
    | ("approval_status" | "denial_message" | "is_blacklisted" | "blacklisted_ts")
  >;
  readonly state: AppState;
  readonly versions: Subject["versions"];
  readonly effects?: DecisionEffects | undefined;
}

interface Offer {
  readonly decision: Decision;
  readonly next: DecidedState;
  readonly needs: Need;
}

export interface Decisions {
  readonly detail: DecisionDetail;
  readonly subject: Subject;
  /** Likeliest first. */
  readonly offers: readonly Offer[];
  /** Decides at once if that is harmless, otherwise asks first. */
  readonly decide: (next: DecidedState) => void;
  readonly isBusy: boolean;
}

const DecisionContext = createContext<Decisions | null>(null);

export function useDecisions(): Decisions {
  const decisions = use(DecisionContext);
  if (decisions === null) throw new Error("useDecisions needs a DecisionProvider");
  return decisions;
}

interface Question {
  readonly next: DecidedState;
  readonly reason: string;
}

/** Head units would refuse the resulting table. */
interface Refusal {
  readonly findings: readonly Finding[];
  readonly next: DecidedState;
  readonly reason: string;
}

/** One dialog, one request and one undo for all parts of the page. */
export function DecisionProvider({
  detail,
  onDecided,
  children,
}: Readonly<{
  detail: DecisionDetail;
  onDecided?: () => void;
  children: ReactNode;
}>) {
  const { app, versions } = detail;
  const router = useRouter();
  // A toast in the list links here to undo its decision.
  const restored = useSearchParams().get("restore");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [question, setQuestion] = useState<Question | null>(() => readRestore(restored, detail));
  // A toast outlives the render that showed it; null once the page is left.
  const latest = useRef<DecisionDetail | null>(null);
  useEffect(() => {
    latest.current = detail;
    return () => {
      latest.current = null;
    };
  }, [detail]);
  const { run, isRunning } = useAction("/api/v1/applications/action");
  const { id, name, approval_status: status, is_blacklisted: isBlocked } = app;
  const subject: Subject = { id, name, status, isBlocked, versions };
  const offers = offeredDecisions(detail.state).map((decision): Offer => {
    const next = decidedState(decision);
    const needs = needOfDecision(decisionOf(status, isBlocked), decisionOf(next.status, next.isBlocked));
    return { decision, next, needs };
  });

  async function send(next: DecidedState, reason: string, force = false): Promise<void> {
    const { app: present } = latest.current ?? detail;
    const earlier: Question = {
      next: { status: present.approval_status, isBlocked: present.is_blacklisted },
      reason: present.denial_message ?? "",
    };
    try {
      await run({ ...buildActionBody(app, next, reason), ...(force && { force }) });
    } catch (error) {
      const findings = force ? null : readRefusal(error);
      if (findings === null) throw error;
      setRefusal({ findings, next, reason });
      return;
    }
    onDecided?.();
    const { done } = buildDecisionLabels(next, subject, earlier.next);
    const { isImmediate } = confirmationOf(subject, next);
    showDone(done, {
      label: isImmediate ? "Undo" : "Revert…",
      onClick: () => {
        if (isImmediate) void sendAtOnce(earlier.next, earlier.reason);
        else if (latest.current !== null) setQuestion(earlier);
        else router.push(`/applications/${app.id}`);
      },
    });
  }

  async function sendAtOnce(next: DecidedState, reason: string): Promise<void> {
    try {
      await send(next, reason);
    } catch (error) {
      showProblem(error);
    }
  }

  function decide(next: DecidedState) {
    if (isRunning) return;
    if (confirmationOf(subject, next).isImmediate) void sendAtOnce(next, "");
    else setQuestion({ next, reason: "" });
  }

  return (
    <DecisionContext value={{ detail, subject, offers, decide, isBusy: isRunning }}>
      {children}
      <DecisionDialog
        open={question !== null}
        question={question}
        subject={subject}
        effects={detail.effects}
        onSend={send}
        onOpenChange={() => {
          setQuestion(null);
          if (restored !== null) window.history.replaceState(null, "", window.location.pathname);
        }}
      />
      {refusal !== null && (
        <FindingsDialog
          findings={refusal.findings}
          act="decision"
          table="policy table"
          confirmLabel="Decide anyway"
          onConfirm={() => send(refusal.next, refusal.reason, true)}
          onClose={() => setRefusal(null)}
        >
          Nothing was decided.
        </FindingsDialog>
      )}
    </DecisionContext>
  );
}

/** `?restore=ACCEPTED`: puts the version back into this status and unblocks the app. */
function readRestore(parameter: string | null, { app }: DecisionDetail): Question | null {
  const status = approvalStatuses.find((one) => one === parameter);
  if (status === undefined || (status === app.approval_status && !app.is_blacklisted)) return null;
  return { next: { status, isBlocked: false }, reason: "" };
}

/** Null for every other error. */
function readRefusal(error: unknown): readonly Finding[] | null {
  return error instanceof ApiError && error.status === 409 ? readFindings(error.data) : null;
}
