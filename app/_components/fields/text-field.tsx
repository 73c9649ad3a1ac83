import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "@/app/_components/ui/cn";
import { Field, type FieldProps, type OnChange, splitField } from "@/app/_components/fields/field";
import { textInputClass } from "@/app/_components/fields/input-class";

type Native = Omit<ComponentProps<"input">, keyof FieldProps | "value" | "onChange" | "size" | "defaultValue">;

export function TextField({
  value,
  onChange,
  inputClassName,
  ...rest
}: Readonly<FieldProps & Native & { value: string; onChange?: OnChange<string>; inputClassName?: string }>) {
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
