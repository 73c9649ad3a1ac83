"use client";
import { Select } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { cn } from "@/app/_components/cn";
import { Field, type FieldProps } from "@/app/_components/field";
import { inputClass } from "@/app/_components/input-class";
import { itemClass, popupClass } from "@/app/_components/popup-class";
import { pick } from "@/app/_components/pick";

export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** One of a few choices. For many, use `ComboboxField`. */
export function SelectField<T extends string>({
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
  options,
  readOnly,
}: Readonly<
  FieldProps & {
    value: T;
    onChange?: (value: T) => void;
    options: readonly SelectOption<T>[];
    readOnly?: boolean;
  }
>) {
  return (
    <Field {...pick({ label, hint, error, name, disabled, hideLabel, aside, className })}>
      <Select.Root
        items={options}
        value={value}
        readOnly={readOnly ?? onChange === undefined}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange?.(chosen);
        }}
        {...pick({ disabled })}
      >
        <Select.Trigger
          className={cn(inputClass, "flex items-center justify-between gap-2 text-left data-readonly:bg-hover")}
        >
          <Select.Value className="truncate" />
          <Select.Icon>
            <ChevronDown aria-hidden="true" className="size-4 text-muted" />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
            <Select.Popup
              className={cn(popupClass, "max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto p-1")}
            >
              {options.map((option) => (
                <Select.Item key={option.value} value={option.value} className={itemClass}>
                  <span className="grow">
                    <Select.ItemText>{option.label}</Select.ItemText>
                    {option.hint && <span className="block text-xs text-muted">{option.hint}</span>}
                  </span>
                  <Select.ItemIndicator>
                    <Check aria-hidden="true" className="text-link" />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </Field>
  );
}
