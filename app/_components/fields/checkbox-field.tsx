"use client";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { Field, type FieldProps } from "@/app/_components/fields/field";
import { pick } from "@/app/_components/pick";

/** Yes or no, stored with the rest of a form. */
export function CheckboxField({
  label,
  hint,
  error,
  name,
  disabled,
  className,
  checked,
  onChange,
  readOnly,
}: Readonly<
  Omit<FieldProps, "aside" | "hideLabel"> & {
    checked: boolean;
    onChange?: (checked: boolean) => void;
    readOnly?: boolean;
  }
>) {
  return (
    <Field inline {...pick({ label, hint, error, name, disabled, className })}>
      <Checkbox
        checked={checked}
        readOnly={readOnly ?? onChange === undefined}
        onChange={(isChecked) => onChange?.(isChecked)}
        className="mt-0.5"
      />
    </Field>
  );
}
