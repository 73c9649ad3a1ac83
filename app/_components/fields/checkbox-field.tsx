import { Checkbox } from "@/app/_components/fields/checkbox";
import { Field, type FieldProps, type OnChange } from "@/app/_components/fields/field";

/** Yes or no, stored with the rest of a form. */
export function CheckboxField({
  checked,
  onChange,
  ...field
}: Readonly<Omit<FieldProps, "aside" | "hideLabel"> & { checked: boolean; onChange?: OnChange<boolean> }>) {
  return (
    <Field inline {...field}>
      <Checkbox
        checked={checked}
        readOnly={!onChange}
        onChange={(isChecked) => onChange && onChange(isChecked)}
        className="mt-0.5"
      />
    </Field>
  );
}
