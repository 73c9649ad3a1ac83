"use client";
import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps } from "@/app/_components/fields/field";
import { textInputClass } from "@/app/_components/fields/input-class";
import { pick } from "@/app/_components/pick";

type Native = Omit<ComponentProps<"textarea">, "value" | "onChange" | "name" | "defaultValue" | "className">;

/** Several lines of text; grows with what is typed. */
export function TextAreaField({
  label,
  hint,
  error,
  name,
  disabled,
  hideLabel,
  aside,
  className,
  value,
  onChange,
  mono = false,
  rows = 3,
  ...rest
}: Readonly<FieldProps & Native & { value: string; onChange?: (value: string) => void; mono?: boolean }>) {
  return (
    <Field {...pick({ label, hint, error, name, disabled, hideLabel, aside, className })}>
      <Base.Control
        render={<textarea {...rest} rows={rows} />}
        value={value}
        readOnly={rest.readOnly ?? onChange === undefined}
        onValueChange={(text) => onChange?.(text)}
        className={cn(
          textInputClass,
          "field-sizing-content h-auto wrap-anywhere max-h-96 min-h-16 py-1.5 pointer-coarse:h-auto",
          mono && "font-mono text-xs",
        )}
      />
    </Field>
  );
}
