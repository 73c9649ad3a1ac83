"use client";
import { CirclePause, Gauge } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAction } from "@/app/_components/hooks/use-action";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { Button } from "@/app/_components/ui/button";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import type { RolloutJson } from "@/lib/releases/answer-schema";
import { formatNumber } from "@/lib/vocabulary/format-number";
import { describeHours, describeRolloutFilters } from "@/lib/vocabulary/rollouts";
import type { AskedCommand } from "./rollout-dialog";

const RolloutDialog = dialogOnDemand(() => import("./rollout-dialog").then((m) => m.RolloutDialog));

/** A release that only some vehicles get: how far it is, and what can be done about it (`fleet.md` S13). */
export function RolloutSection({
  rollout,
  className = "",
}: Readonly<{ rollout: RolloutJson | null; className?: string }>) {
  const [asked, setAsked] = useState<AskedCommand | null>(null);
  if (rollout === null) return null;
  const { release, state, percent } = rollout;
  const isPaused = state === "paused";
  return (
    <Section
      id="rollout"
      className={className}
      title={
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link href={`/releases/${release}`}>{`Rollout of release #${release}`}</Link>
          {isPaused ? (
            <Chip tone={rollout.brake === null ? "warn" : "bad"} icon={CirclePause}>
              {rollout.brake === null ? "Paused" : "Stopped by the server"}
            </Chip>
          ) : (
            <Chip tone="accent" icon={Gauge}>
              {`${formatNumber(percent)} % of vehicles`}
            </Chip>
          )}
        </span>
      }
      actions={
        <>
          {isPaused ? (
            <CommandButton command="resume">Resume</CommandButton>
          ) : (
            <>
              <CommandButton command="pause">Pause</CommandButton>
              <Button size="sm" needsServer needs="publish" onClick={() => setAsked("advance")}>
                Next step…
              </Button>
            </>
          )}
          <Button size="sm" needsServer needs="publish" onClick={() => setAsked("finish")}>
            Finish…
          </Button>
          <Button size="sm" needsServer needs="publish" onClick={() => setAsked("cancel")}>
            Call off…
          </Button>
        </>
      }
      flush
    >
      <div className="space-y-3 px-4 py-3 text-table">
        <Steps rollout={rollout} />
        <p>{describeState(rollout)}</p>
        {rollout.paused_because !== null && <p className="text-bad">{rollout.paused_because}</p>}
        <p className="text-muted">
          {describeRolloutFilters(rollout)} Other vehicles keep production as of{" "}
          <Link href={`/releases/${rollout.before}`}>{`release #${rollout.before}`}</Link>. Started by{" "}
          <Author author={rollout.author} />, <TimeAgo at={rollout.started_at} />.
        </p>
      </div>
      {asked !== null && <RolloutDialog command={asked} rollout={rollout} onClose={() => setAsked(null)} />}
    </Section>
  );
}

function CommandButton({ command, children }: Readonly<{ command: "pause" | "resume"; children: ReactNode }>) {
  const action = useAction(`/api/v1/rollouts/current/${command}`);
  return (
    <Button size="sm" needsServer needs="publish" busy={action.isRunning} onClick={() => void action.tryRun()}>
      {children}
    </Button>
  );
}

function describeState({ state, paused_at: pausedAt, next_at: nextAt, step, steps }: RolloutJson): ReactNode {
  const next = steps[step + 1];
  if (state === "paused" && pausedAt !== null) {
    return (
      <>
        Paused <TimeAgo at={pausedAt} />. No further vehicle gets the release until somebody resumes it.
      </>
    );
  }
  const share = next === undefined ? "The rollout ends" : `${formatNumber(next.percent)} % of vehicles get it`;
  if (nextAt === null) return `${share} when somebody goes on.`;
  return (
    <>
      {share} <TimeAgo at={nextAt} exact />.
    </>
  );
}

/** One bar for each step, as wide as the others: 1 % is as important as 100 %. */
function Steps({ rollout: { steps, step, state } }: Readonly<{ rollout: RolloutJson }>) {
  return (
    <ol aria-label="Steps" className="flex gap-1.5">
      {steps.map(({ percent, hours }, at) => (
        <li key={percent} aria-current={at === step ? "step" : undefined} className="min-w-0 grow basis-0">
          <span
            aria-hidden="true"
            className={cn(
              "block h-1.5 rounded-full",
              at > step ? "bg-active" : state === "paused" && at === step ? "bg-warn" : "bg-accent",
            )}
          />
          <span className={cn("mt-1 block tabular-nums", at === step ? "font-semibold" : "text-muted")}>
            {formatNumber(percent)} %
          </span>
          <span className="block text-xs text-muted">{percent === 100 ? "all" : describeHours(hours)}</span>
        </li>
      ))}
    </ol>
  );
}
