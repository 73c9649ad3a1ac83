import { Ban, Check, CircleX, Hand, type LucideIcon } from "lucide-react";
import type { RightState } from "@/app/_components/rights/rights";
import { cn } from "@/app/_components/ui/cn";

type Shown = Exclude<RightState, "none">;

/** The legend has the words, and screen readers read them in each cell. */
export const rightLabels: Readonly<Record<Shown, { icon: LucideIcon; word: string; className: string }>> = {
  granted: { icon: Check, word: "Granted", className: "border-good-line bg-good-soft text-good" },
  consent: { icon: Hand, word: "After consent", className: "border-warn-line bg-warn-soft text-warn" },
  rejected: { icon: Ban, word: "Granted, but the car rejects it", className: "border-bad-line bg-bad-soft text-bad" },
  withheld: { icon: CircleX, word: "Requested, not granted", className: "border-bad-line bg-bad-soft text-bad" },
};

export function RightMark({ state, className }: Readonly<{ state: Shown; className?: string }>) {
  const { icon: Icon, className: look } = rightLabels[state];
  return (
    <span className={cn("grid size-6 place-items-center rounded-control border", look, className)}>
      <Icon aria-hidden="true" className="size-3.5" />
    </span>
  );
}

export function RightLegend({ states, showsAsked }: Readonly<{ states: readonly Shown[]; showsAsked: boolean }>) {
  return (
    <ul aria-label="Marks" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {states.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <RightMark state={state} className="size-5" />
          {rightLabels[state].word}
        </li>
      ))}
      {showsAsked && (
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" className="grid size-5 place-items-center font-semibold text-text">
            •
          </span>
          Requested
        </li>
      )}
    </ul>
  );
}
