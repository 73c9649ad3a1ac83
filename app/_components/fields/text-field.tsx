"use client";
import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps } from "@/app/_components/fields/field";
import { textInputClass } from "@/app/_components/fields/input-class";
import { pick } from "@/app/_components/pick";

type Native = Omit<ComponentProps<"input">, "value" | "onChange" | "name" | "size" | "defaultValue" | "className">;

/** One line of text. */
export function TextField({
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
  inputClassName,
  ...rest
}: Readonly<FieldProps & Native & { value: string; onChange?: (value: string) => void; inputClassName?: string }>) {
  return (
    <Field {...pick({ label, hint, error, name, disabled, hideLabel, aside, className })}>
      <Base.Control
        {...rest}
        value={value}
        readOnly={rest.readOnly ?? onChange === undefined}
        onValueChange={(text) => onChange?.(text)}
        className={cn(textInputClass, inputClassName)}
      />
    </Field>
  );
}
