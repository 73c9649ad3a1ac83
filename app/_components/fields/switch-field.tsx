import { Switch } from "@base-ui/react/switch";
import { Field, type FieldProps } from "@/app/_components/fields/field";
import { type Needs, useObstacle } from "@/app/_components/shell/role";

/** Effective at once; for values saved with a form use `CheckboxField`. With `needsServer`, disabled while offline. */
export function SwitchField({
  needsServer = false,
  needs,
  hint,
  disabled = false,
  checked,
  onChange,
  ...field
}: Readonly<
  Omit<FieldProps, "aside" | "hideLabel"> &
    Needs & {
      checked: boolean;
      onChange: (checked: boolean) => void;
    }
>) {
  const obstacle = useObstacle(needsServer, needs);
  return (
    <Field inline {...field} hint={obstacle ?? hint} disabled={disabled || obstacle !== null}>
      <Switch.Root
        checked={checked}
        onCheckedChange={(isOn) => onChange(isOn)}
        className="relative mt-0.5 inline-flex h-5 w-9 shrink-0 cursor-pointer rounded-full border border-field bg-active p-px transition-colors duration-100 after:absolute after:-inset-1 data-checked:border-accent data-checked:bg-accent data-disabled:cursor-not-allowed data-disabled:opacity-50 pointer-coarse:after:-inset-3"
      >
        <Switch.Thumb className="size-4 rounded-full bg-surface shadow-card transition-transform duration-100 data-checked:translate-x-4 data-checked:bg-on-accent forced-colors:bg-[ButtonText]" />
      </Switch.Root>
    </Field>
  );
}
