import { Field as Base } from "@base-ui/react/field";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps, type OnChange } from "@/app/_components/fields/field";
import { inputClass } from "@/app/_components/fields/input-class";

// Phones and tablets have no room for steps; their keyboard has digits.
const stepClass =
  "grid w-7 shrink-0 place-items-center border-l border-line text-muted hover:bg-hover hover:text-text disabled:opacity-40 max-sm:hidden pointer-coarse:hidden [&_svg]:size-3.5";

/** The input stays as typed and the schema refuses it: silent corrections would surprise people. */
export function NumberField({
  value,
  onChange,
  min = -Infinity,
  max = Infinity,
  unit,
  ...field
}: Readonly<
  FieldProps & {
    value: number | null;
    onChange?: OnChange<number | null>;
    min?: number;
    max?: number;
    unit?: ReactNode;
  }
>) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly number: number | null } | null>(null);
  const isAsTyped = typed !== null && typed.number === value;
  const text = isAsTyped ? typed.text : String(value ?? "");
  const isStrange = isAsTyped && value === null && text.trim() !== "";

  function change(next: string) {
    const number = readNumber(next);
    setTyped({ text: next, number });
    if (onChange) onChange(number);
  }
  function step(by: number) {
    change(String(value === null ? Math.max(min, 0) : Math.min(max, Math.max(min, value + by))));
  }

  return (
    <Field {...field} error={isStrange ? `“${text.trim()}” is not a number` : field.error}>
      <div
        className={cn(
          inputClass,
          "flex overflow-hidden p-0 focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent has-data-invalid:border-bad",
          !onChange && "bg-hover",
        )}
      >
        <Base.Control
          value={text}
          readOnly={!onChange}
          inputMode="numeric"
          autoComplete="off"
          onValueChange={change}
          onKeyDown={(event) => {
            if (!onChange || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
            event.preventDefault();
            step((event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
          }}
          className="h-full w-full min-w-14 bg-transparent px-2.5 tabular-nums outline-none"
        />
        {unit && (
          <span aria-hidden="true" className="self-center pr-2 text-table whitespace-nowrap text-muted">
            {unit}
          </span>
        )}
        {onChange && (
          <>
            <Step label="Less" isOff={value !== null && value <= min} onStep={() => step(-1)}>
              <Minus aria-hidden="true" />
            </Step>
            <Step label="More" isOff={value !== null && value >= max} onStep={() => step(1)}>
              <Plus aria-hidden="true" />
            </Step>
          </>
        )}
      </div>
    </Field>
  );
}

function Step({
  label,
  isOff,
  onStep,
  children,
}: Readonly<{ label: string; isOff: boolean; onStep: () => void; children: ReactNode }>) {
  return (
    <button type="button" tabIndex={-1} aria-label={label} disabled={isOff} className={stepClass} onClick={onStep}>
      {children}
    </button>
  );
}

/** Null: not a number. */
function readNumber(text: string): number | null {
  return /^[+-]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
