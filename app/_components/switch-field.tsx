"use client";
import { Switch } from "@base-ui/react/switch";
import { Field, type FieldProps } from "@/app/_components/field";
import { pick } from "@/app/_components/pick";

/** On or off, taking effect at once. For what is stored with a form use `CheckboxField`. */
export function SwitchField({
  label,
  hint,
  error,
  name,
  disabled,
  className,
  checked,
  onChange,
}: Readonly<Omit<FieldProps, "aside" | "hideLabel"> & { checked: boolean; onChange?: (checked: boolean) => void }>) {
  return (
    <Field inline {...pick({ label, hint, error, name, disabled, className })}>
      <Switch.Root
        checked={checked}
        onCheckedChange={(isOn) => onChange?.(isOn)}
        className="relative mt-0.5 inline-flex h-5 w-9 shrink-0 cursor-pointer rounded-full border border-field bg-active p-px transition-colors duration-100 after:absolute after:-inset-1 data-checked:border-accent data-checked:bg-accent data-disabled:cursor-not-allowed data-disabled:opacity-50 pointer-coarse:after:-inset-3"
      >
        <Switch.Thumb className="size-4 rounded-full bg-surface shadow-card transition-transform duration-100 data-checked:translate-x-4 data-checked:bg-on-accent forced-colors:bg-[ButtonText]" />
      </Switch.Root>
    </Field>
  );
}
