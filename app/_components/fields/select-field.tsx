import { Field as Base } from "@base-ui/react/field";
import { ChevronDown } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps } from "@/app/_components/fields/field";
import { inputClass } from "@/app/_components/fields/input-class";
import { type Needs, useObstacle } from "@/app/_components/shell/role";

/** A native list is light and familiar on every device. For many choices, use `ComboboxField`. */
export function SelectField<T extends string>({
  hint,
  value,
  onChange,
  options,
  needsServer = false,
  needs,
  ...field
}: Readonly<
  Pick<FieldProps, "label" | "hint" | "hideLabel" | "className"> &
    Needs & {
      value: T;
      onChange: (value: T) => void;
      options: readonly { readonly value: T; readonly label: string }[];
    }
>) {
  const obstacle = useObstacle(needsServer, needs);
  return (
    <Field {...field} hint={obstacle ?? hint} disabled={obstacle !== null}>
      <div className="relative">
        <Base.Control
          render={
            <select>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          }
          value={value}
          onValueChange={(chosen) => {
            const option = options.find((one) => one.value === chosen);
            if (option) onChange(option.value);
          }}
          className={cn(inputClass, "appearance-none truncate pr-8")}
        />
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
        />
      </div>
    </Field>
  );
}
