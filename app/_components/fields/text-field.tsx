import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps, type OnChange, splitField } from "@/app/_components/fields/field";
import { textInputClass } from "@/app/_components/fields/input-class";

type Native<Element extends "input" | "textarea"> = Omit<
  ComponentProps<Element>,
  keyof FieldProps | "value" | "onChange" | "size" | "defaultValue"
>;

export function TextField({
  value,
  onChange,
  inputClassName,
  ...rest
}: Readonly<FieldProps & Native<"input"> & { value: string; onChange?: OnChange<string>; inputClassName?: string }>) {
  const [field, native] = splitField(rest);
  return (
    <Field {...field}>
      <Base.Control
        {...native}
        value={value}
        readOnly={native.readOnly ?? !onChange}
        onValueChange={(text) => onChange && onChange(text)}
        className={cn(textInputClass, inputClassName)}
      />
    </Field>
  );
}

export function TextAreaField({
  value,
  onChange,
  mono = false,
  rows = 3,
  ...rest
}: Readonly<FieldProps & Native<"textarea"> & { value: string; onChange?: OnChange<string>; mono?: boolean }>) {
  const [field, native] = splitField(rest);
  return (
    <Field {...field}>
      <Base.Control
        render={<textarea {...native} rows={rows} />}
        value={value}
        readOnly={native.readOnly ?? !onChange}
        onValueChange={(text) => onChange && onChange(text)}
        className={cn(
          textInputClass,
          "field-sizing-content h-auto wrap-anywhere max-h-96 min-h-16 py-1.5 pointer-coarse:h-auto",
          mono && "font-mono text-xs",
        )}
      />
    </Field>
  );
}
