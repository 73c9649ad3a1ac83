import { ListFilter, Plus, X } from "lucide-react";
import { useState } from "react";
import { NumberField } from "@/app/_components/fields/number-field";
import { SelectField } from "@/app/_components/fields/select-field";
import { TextField } from "@/app/_components/fields/text-field";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import {
  defaultRolloutSteps,
  describeHours,
  maxRolloutSteps,
  type RolloutFilter,
  rolloutFilters,
  type RolloutRequest,
} from "@/lib/vocabulary/rollouts";

/** A rollout as it is typed. The last step is always everybody, so it is not among these. */
export interface RolloutDraft extends Readonly<Record<RolloutFilter, string>> {
  readonly steps: readonly { readonly percent: number | null; readonly hours: number | null }[];
}

const isForEverybody = ({ percent }: { readonly percent: number | null }) => percent === 100;
export const usualRollout: RolloutDraft = {
  steps: defaultRolloutSteps.filter((step) => !isForEverybody(step)),
  ...{ countries: "", software: "", hardware: "" },
};

/** The member `rollout` of a publication. Values are separated by commas. */
export function toRolloutRequest(draft: RolloutDraft): RolloutRequest {
  const list = (text: string) => text.split(",").flatMap((one) => one.trim() || []);
  return {
    steps: [
      ...draft.steps.map(({ percent, hours }) => ({ percent: percent ?? 0, hours })),
      { percent: 100, hours: null },
    ],
    countries: list(draft.countries),
    software: list(draft.software),
    hardware: list(draft.hardware),
  };
}

/** Why the steps cannot be sent; null: they can. */
export function findStepProblem({ steps }: RolloutDraft): string | null {
  const isGrowing = steps.every(({ percent }, at) => percent !== null && percent > (steps[at - 1]?.percent ?? 0));
  if (!isGrowing) return "Each step must reach more vehicles than the one before";
  return steps.every(({ percent }) => percent !== null && percent < 100)
    ? null
    : "Steps before the last are below 100 %";
}

const durations = [1, 6, 12, 24, 48, 72, 168].map((hours) => ({ value: String(hours), label: describeHours(hours) }));
const untilAsked = { value: "", label: describeHours(null) };

const filterLabels: Readonly<Record<RolloutFilter, readonly [label: string, hint: string]>> = {
  countries: ["Only in countries", "Codes as vehicles send them, separated by commas. Empty: all."],
  software: ["Only head-unit software", "Versions, separated by commas. Empty: all."],
  hardware: ["Only head-unit hardware", "Versions, separated by commas. Empty: all."],
};

/** The steps of a rollout, and which vehicles it is for (`fleet.md` S11). */
export function RolloutFields({
  draft,
  onChange,
}: Readonly<{ draft: RolloutDraft; onChange: (draft: RolloutDraft) => void }>) {
  const { steps } = draft;
  const [isNarrow, setNarrow] = useState(false);
  const setStep = (at: number, change: Partial<RolloutDraft["steps"][number]>) =>
    onChange({ ...draft, steps: steps.map((step, place) => (place === at ? { ...step, ...change } : step)) });
  const problem = findStepProblem(draft);
  return (
    <fieldset className="space-y-3">
      <legend className="mb-2 text-table font-medium">To some vehicles first</legend>
      <ol className="space-y-2">
        {steps.map(({ percent, hours }, at) => (
          // Steps have no identity but their place.
          <li key={at} className="flex items-start gap-2">
            <NumberField
              label={`Share of step ${at + 1}`}
              hideLabel
              value={percent}
              unit="%"
              min={1}
              max={99}
              className="w-36"
              onChange={(next) => setStep(at, { percent: next })}
            />
            <SelectField
              label={`Duration of step ${at + 1}`}
              hideLabel
              value={hours === null ? "" : String(hours)}
              options={[...durations, untilAsked]}
              className="grow"
              onChange={(next) => setStep(at, { hours: next === "" ? null : Number(next) })}
            />
            <IconButton
              icon={X}
              label={`Remove step ${at + 1}`}
              disabled={steps.length === 1}
              onClick={() => onChange({ ...draft, steps: steps.filter((_, place) => place !== at) })}
            />
          </li>
        ))}
        <li className="flex items-center gap-2 text-table text-muted">
          <span className="w-36 px-2.5 tabular-nums">100 %</span>
          <span className="grow">then all vehicles</span>
          {steps.length < maxRolloutSteps - 1 && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => onChange({ ...draft, steps: [...steps, { percent: null, hours: 24 }] })}
            >
              <Plus aria-hidden="true" />
              Add a step
            </Button>
          )}
        </li>
      </ol>
      {problem !== null && <p className="text-table text-bad">{problem}</p>}
      {!isNarrow && (
        <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setNarrow(true)}>
          <ListFilter aria-hidden="true" />
          Only some countries or head units
        </Button>
      )}
      {(isNarrow ? rolloutFilters : []).map((name) => (
        <TextField
          key={name}
          label={filterLabels[name][0]}
          hint={filterLabels[name][1]}
          value={draft[name]}
          onChange={(text) => onChange({ ...draft, [name]: text })}
        />
      ))}
    </fieldset>
  );
}
