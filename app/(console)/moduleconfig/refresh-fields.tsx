import { NumberField } from "@/app/_components/fields/number-field";
import { Section } from "@/app/_components/ui/section";
import { describeRefresh, describeRetries, type RefreshRules } from "@/lib/content/module-config/summary";
import { formatNumber } from "@/lib/labels/format-number";
import { Compared } from "./compared";
import type { Editable, FormPart } from "./editable";
import { RetriesField } from "./retries-field";

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
      <div className="grid gap-4 sm:grid-cols-3">
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
      <div className="mt-4 grid gap-4 sm:grid-cols-3">
        <NumberField
          label="Timeout"
          unit="s"
          max={65_535}
          hint="0 to 65,535"
          {...numberOf("timeout_after_x_seconds")}
        />
        <div className="sm:col-span-2">
          <RetriesField {...{ value, set, production }} />
        </div>
      </div>
    </Section>
  );
}

/** Null while a number is missing. */
function asRules(value: Editable): RefreshRules | null {
  const numbers = [...fields.map(({ name }) => value[name]), value.timeout_after_x_seconds];
  if ([...numbers, ...value.seconds_between_retries].includes(null)) return null;
  return value as RefreshRules;
}
