import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import { Field, type FieldProps, type OnChange } from "@/app/_components/fields/field";
import { cn } from "@/app/_components/ui/cn";

/** Without a label: give it one, or use `CheckboxField`. */
export function Checkbox({
  checked,
  onChange,
  isMixed = false,
  label,
  readOnly = false,
  disabled = false,
  className,
  onClick,
}: Readonly<{
  checked: boolean;
  onChange?: (checked: boolean) => void;
  isMixed?: boolean;
  label?: string;
  readOnly?: boolean;
  disabled?: boolean;
  className?: string;
  onClick?: (event: React.MouseEvent) => void;
}>) {
  return (
    <Base.Root
      checked={checked}
      indeterminate={isMixed}
      readOnly={readOnly}
      disabled={disabled}
      aria-label={label}
      onCheckedChange={(isChecked) => onChange?.(isChecked)}
      onClick={onClick}
      className={cn(
        // The target is larger than the box: 24 px for a mouse, 44 px for touch.
        "relative grid size-4 shrink-0 place-items-center rounded-[4px] border border-field bg-surface text-on-accent after:absolute after:-inset-1 hover:border-muted pointer-coarse:after:-inset-3.5",
        "data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent",
        "data-disabled:opacity-50 data-invalid:border-bad data-readonly:opacity-75",
        className,
      )}
    >
      <Base.Indicator className="grid place-items-center [&_svg]:size-3 [&_svg]:stroke-3">
        {isMixed ? <Minus aria-hidden="true" /> : <Check aria-hidden="true" />}
      </Base.Indicator>
    </Base.Root>
  );
}

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
