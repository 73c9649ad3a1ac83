"use client";
import { Ban, CircleCheck, CircleMinus, Ellipsis, FlaskConical, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { BottomBar } from "@/app/_components/shell/bars/bottom-bars";
import { Button } from "@/app/_components/ui/button";
import { Menu } from "@/app/_components/overlay/menu";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { useRole } from "@/app/_components/shell/role";
import { type Decision, describeDecision } from "@/lib/apps/applications/decisions";
import type { AppState } from "@/lib/apps/applications/versions";
import { garbledNameNote, garbledNames } from "@/lib/vocabulary/phones";
import { mayDo } from "@/lib/vocabulary/roles";
import { buildDecisionLabels, labelOf } from "../decision-labels";
import { DecisionEffectLine } from "../effect-lines";
import { type Decisions, useDecisions } from "../decision-provider";

const icons = { stage: FlaskConical, accept: CircleCheck, limit: CircleMinus, block: Ban, unblock: Undo2 } as const;

export function DecisionCard() {
  const decisions = useDecisions();
  const offers = listOffers(decisions);
  const [pressed, setPressed] = useState<Decision | null>(null);
  return (
    <Section title="Decision" id="decision" flush>
      <Refusal />
      <GarbledNames />
      <ul className="divide-y divide-line">
        {offers.map(({ decision, needs, look, button, change, effect, icon: Icon, act }) => (
          <li
            key={decision}
            className="grid gap-x-4 gap-y-2 px-4 py-2.5 sm:grid-cols-[13.5rem_minmax(0,1fr)] sm:items-center"
          >
            <Button
              variant={look}
              needsServer
              needs={needs}
              busy={decisions.isBusy && pressed === decision}
              disabled={decisions.isBusy}
              aria-describedby={`effect-${decision}`}
              // On paper, it names the decision.
              className="w-full justify-start print:inline-flex print:border-0 print:bg-transparent print:px-0 print:text-text print:opacity-100"
              onClick={() => {
                setPressed(decision);
                act();
              }}
            >
              <Icon aria-hidden="true" />
              {button}
            </Button>
            <div id={`effect-${decision}`} className="min-w-0 text-table wrap-anywhere">
              {change && <DecisionEffectLine change={change} />}
              <p className={change ? "text-xs text-muted" : "text-muted"}>{effect}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function DecisionBar() {
  const [isCardInView, setIsCardInView] = useState(false);
  useEffect(() => {
    const card = document.getElementById("decision");
    if (card === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsCardInView(entry?.isIntersecting === true));
    observer.observe(card);
    return () => observer.disconnect();
  }, []);
  const decisions = useDecisions();
  const role = useRole();
  const offers = listOffers(decisions);
  // Only a decision that moves the version forward gets a button.
  const first = offers.find(({ look }) => look === "primary");
  const may = offers.filter((offer) => offer !== first && mayDo(role, offer.needs));
  if (isCardInView) return null;
  return (
    <BottomBar label="Next decision" className="md:hidden">
      {first && (
        <Button
          variant={first.look}
          needsServer
          needs={first.needs}
          disabled={decisions.isBusy}
          className="grow"
          onClick={first.act}
        >
          {first.button}
        </Button>
      )}
      {may.length > 0 && (
        <Menu
          trigger={
            <Button aria-label={first ? "Other decisions" : undefined} className={first ? "" : "grow"}>
              <Ellipsis aria-hidden="true" />
              {!first && "Decide"}
            </Button>
          }
          entries={may.map(({ button, icon, decision, act }) => ({
            label: button,
            icon,
            danger: decision === "block",
            onSelect: act,
          }))}
        />
      )}
    </BottomBar>
  );
}

function listOffers({ detail: { state, effects = {} }, subject, offers, decide }: Decisions) {
  return offers.map(({ decision, next, needs }) => ({
    ...{ decision, needs, icon: icons[decision], look: lookOf(decision, state), change: effects[decision] },
    button: buildDecisionLabels(next, subject).button,
    effect: describeDecision(subject, next, ({ id }) => labelOf(subject, id)).join(" "),
    act: () => decide(next),
  }));
}

/** Decisions that take permissions away never stand out. */
function lookOf(decision: Decision, state: AppState): "primary" | "secondary" {
  const isForward = decision === "accept" ? state === "STAGING" : decision === "stage" && state !== "ACCEPTED";
  return isForward ? "primary" : "secondary";
}

/** Android phones garble these names (`phones.md` Q5). */
function GarbledNames() {
  const { app } = useDecisions().detail;
  const names = garbledNames([app.name, ...app.display_names]);
  if (names.length === 0) return null;
  return (
    <div role="note" className="border-b border-line bg-warn-soft px-4 py-2.5 text-table">
      <p className="font-medium break-words text-warn">{names.join(", ")}</p>
      <p>{garbledNameNote}</p>
    </div>
  );
}

function Refusal() {
  const { app } = useDecisions().detail;
  if (app.approval_status !== "LIMITED" && !app.is_blacklisted) return null;
  return (
    <div className="border-b border-line bg-bad-soft px-4 py-2.5 text-table">
      <p className="font-medium text-bad">
        {app.is_blacklisted ? "Blocked" : "Limited"}
        {app.blacklisted_ts !== null && (
          <>
            {" "}
            <TimeAgo at={app.blacklisted_ts} />
          </>
        )}
      </p>
      <p className="whitespace-pre-line">{app.denial_message ?? "No reason given."}</p>
    </div>
  );
}
