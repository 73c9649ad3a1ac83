import { NumberField as Base } from "@base-ui/react/number-field";
import { Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps, type OnChange } from "@/app/_components/fields/field";
import { inputClass } from "@/app/_components/fields/input-class";

// Phones and tablets have no room for steps; their keyboard has digits.
const stepClass =
  "grid w-7 shrink-0 place-items-center text-muted hover:bg-hover hover:text-text data-disabled:opacity-40 max-sm:hidden pointer-coarse:hidden [&_svg]:size-3.5";

/**
 * A number. Values outside `min` and `max` stay as typed, and the schema refuses them: silent corrections would
 * surprise people.
 */
export function NumberField({
  value,
  onChange,
  min,
  max,
  unit,
  ...field
}: Readonly<
  FieldProps & {
    value: number | null;
    onChange?: OnChange<number | null>;
    min?: number;
    max?: number;
    /** Unit after the number: "km", "s". */
    unit?: ReactNode;
  }
>) {
  const isReadOnly = !onChange;
  return (
    <Field {...field}>
      <Base.Root
        value={value}
        onValueChange={(number) => onChange && onChange(number)}
        allowOutOfRange
        min={min}
        max={max}
        readOnly={isReadOnly}
        format={{ useGrouping: false, maximumFractionDigits: 10 }}
      >
        <Base.Group
          className={cn(
            inputClass,
            "flex overflow-hidden p-0 focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
            isReadOnly && "bg-hover",
          )}
        >
          <Base.Input className="h-full w-full min-w-14 bg-transparent px-2.5 tabular-nums outline-none" />
          {unit && (
            <span aria-hidden="true" className="self-center pr-2 text-table whitespace-nowrap text-muted">
              {unit}
            </span>
          )}
          {!isReadOnly && (
            <>
              <Base.Decrement aria-label="Less" className={cn(stepClass, "border-l border-line")}>
                <Minus aria-hidden="true" />
              </Base.Decrement>
              <Base.Increment aria-label="More" className={cn(stepClass, "border-l border-line")}>
                <Plus aria-hidden="true" />
              </Base.Increment>
            </>
          )}
        </Base.Group>
      </Base.Root>
    </Field>
  );
}
