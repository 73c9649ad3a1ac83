import { NumberField } from "@/app/_components/fields/number-field";
import { Section } from "@/app/_components/ui/section";
import {
  describeRefresh,
  describeRetries,
  describeZeros,
  type RefreshRules,
} from "@/lib/records/module-config/summary";
import { formatNumber } from "@/lib/vocabulary/format-number";
import { Compared } from "./compared";
import type { Editable, FormPart } from "./editable";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import { defaultRetries } from "@/lib/vocabulary/terms";

const fields = [
  { name: "exchange_after_x_ignition_cycles", label: "Starts", unit: "starts", max: 255 },
  { name: "exchange_after_x_kilometers", label: "Distance", unit: "km", max: 2_147_483_647 },
  { name: "exchange_after_x_days", label: "Days", unit: "days", max: 255 },
] as const;

export function RefreshFields({ value, set, production }: Readonly<FormPart>) {
  const rules = asRules(value);
  const numberOf = (name: (typeof fields)[number]["name"] | "timeout_after_x_seconds") => ({
    name,
    value: value[name],
    min: 0,
    aside: set && (
      <Compared value={value[name]} production={production?.[name]} onRevert={(number) => set({ [name]: number })} />
    ),
    ...(set && {
      onChange: (number: number | null) => set({ [name]: number }),
    }),
  });
  return (
    <Section id="refresh" title="Refresh" description={rules && `${describeRefresh(rules)} ${describeRetries(rules)}`}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-4">
        {fields.map(({ label, unit, max, name }) => (
          <NumberField
            key={name}
            label={label}
            unit={unit}
            max={max}
            hint={`0 to ${formatNumber(max)}`}
            {...numberOf(name)}
          />
        ))}
      </div>
      <div className="mt-4 grid gap-4 lg:grid-cols-3">
        <NumberField
          label="Timeout"
          unit="s"
          max={65_535}
          hint="0 to 65,535"
          {...numberOf("timeout_after_x_seconds")}
        />
        <div className="lg:col-span-2">
          <RetriesField {...{ value, set, production }} />
        </div>
      </div>
      {describeZeros(value).map((sentence) => (
        <p key={sentence} className="mt-3 text-table text-warn">
          {sentence}
        </p>
      ))}
    </Section>
  );
}

/** Null if a number is missing. */
function asRules(value: Editable): RefreshRules | null {
  const numbers = [...fields.map(({ name }) => value[name]), value.timeout_after_x_seconds];
  if ([...numbers, ...value.seconds_between_retries].includes(null)) return null;
  return value as RefreshRules;
}

const most = 5;
const greatest = 1000;

/** Head units add all pauses up to a retry, and the timeout for each. */
function RetriesField({ value, set, production }: Readonly<FormPart>) {
  const pauses = value.seconds_between_retries;
  const change = (next: readonly (number | null)[]) => set?.({ seconds_between_retries: next });
  const group = useRef<HTMLFieldSetElement>(null);
  function add() {
    const last = pauses.at(-1);
    change([...pauses, last === undefined || last === null ? 1 : Math.min(last * 5, greatest)]);
  }

  /** Focuses the button with this `data-act`. */
  function changeAndFocus(next: readonly (number | null)[], act: string) {
    flushSync(() => change(next));
    group.current?.querySelector<HTMLElement>(`[data-act="${act}"]`)?.focus();
  }

  function move(index: number, by: 1 | -1) {
    const next = [...pauses];
    const [moved = null] = next.splice(index, 1);
    next.splice(index + by, 0, moved);
    // The focus follows the moved pause.
    changeAndFocus(next, `${by === 1 ? "down" : "up"}-${index + by}`);
  }

  function remove(index: number) {
    const next = pauses.toSpliced(index, 1);
    changeAndFocus(next, next.length === 0 ? "add" : `remove-${Math.min(index, next.length - 1)}`);
  }

  return (
    <fieldset ref={group} className="min-w-0">
      <legend className="flex w-full items-baseline justify-between gap-2 text-table font-medium">
        Pauses after retries
        {set && (
          <span className="text-xs font-normal">
            <Compared
              value={pauses}
              production={production?.seconds_between_retries}
              onRevert={(list) => change(list)}
            />
          </span>
        )}
      </legend>
      {pauses.length === 0 && (
        <p className="mt-1.5 text-table text-warn">
          None. Some vehicles would never request a policy again, so every vehicle gets {defaultRetries.join(", ")} s.
          Add pause to save.
        </p>
      )}
      <ol className="mt-1.5 space-y-2">
        {pauses.map((pause, index) => (
          // A pause has no identity besides its index.
          <li key={index} className="flex items-start gap-1">
            <NumberField
              className="grow"
              label={`Pause after retry ${index + 1}`}
              hideLabel
              name={`seconds_between_retries.${index}`}
              value={pause}
              min={1}
              max={greatest}
              unit="s"
              onChange={set && ((number) => change(pauses.with(index, number)))}
            />
            {set && (
              <>
                <IconButton
                  icon={ArrowUp}
                  label={`Move pause ${index + 1} up`}
                  data-act={`up-${index}`}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  label={`Move pause ${index + 1} down`}
                  data-act={`down-${index}`}
                  disabled={index === pauses.length - 1}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  icon={X}
                  label={`Remove pause ${index + 1}`}
                  data-act={`remove-${index}`}
                  onClick={() => remove(index)}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      {set && (
        <div className="mt-2 flex items-center gap-3">
          <Button size="sm" data-act="add" disabled={pauses.length >= most} onClick={add}>
            <Plus aria-hidden="true" />
            Add pause
          </Button>
          <span className="text-xs text-muted">1 to {most}, each 1 to 1,000 s</span>
        </div>
      )}
    </fieldset>
  );
}
