"use client";
import { Combobox } from "@base-ui/react/combobox";
import { Check, ChevronsUpDown, X } from "lucide-react";
import { cn } from "@/app/_components/cn";
import { Field, type FieldProps } from "@/app/_components/field";
import { inputClass } from "@/app/_components/input-class";
import { itemClass, popupClass } from "@/app/_components/popup-class";
import { pick } from "@/app/_components/pick";

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** One of many choices, found by typing. Null: none chosen. */
export function ComboboxField({
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
  placeholder = "Search…",
  emptyText = "Nothing found",
  readOnly,
}: Readonly<
  FieldProps & {
    value: string | null;
    onChange?: (value: string | null) => void;
    options: readonly ComboboxOption[];
    placeholder?: string;
    emptyText?: string;
    readOnly?: boolean;
  }
>) {
  const chosen = options.find((option) => option.value === value) ?? null;
  return (
    <Field {...pick({ label, hint, error, name, disabled, hideLabel, aside, className })}>
      <Combobox.Root
        items={options}
        value={chosen}
        readOnly={readOnly ?? onChange === undefined}
        isItemEqualToValue={(one, other) => one.value === other.value}
        onValueChange={(option) => onChange?.(option?.value ?? null)}
        autoHighlight
        {...pick({ disabled })}
      >
        <Combobox.InputGroup
          className={cn(
            inputClass,
            "flex items-center p-0 focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
          )}
        >
          <Combobox.Input
            placeholder={placeholder}
            className="h-full w-full min-w-0 truncate bg-transparent px-2.5 outline-none"
          />
          <Combobox.Clear aria-label="Clear" className="grid size-7 shrink-0 place-items-center text-muted">
            <X aria-hidden="true" className="size-3.5" />
          </Combobox.Clear>
          <Combobox.Trigger aria-label="Show all" className="grid size-7 shrink-0 place-items-center text-muted">
            <ChevronsUpDown aria-hidden="true" className="size-3.5" />
          </Combobox.Trigger>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
            <Combobox.Popup className={cn(popupClass, "w-(--anchor-width) min-w-64")}>
              <Combobox.Empty>
                <p className="px-3 py-3 text-table text-muted">{emptyText}</p>
              </Combobox.Empty>
              <Combobox.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
                {(option: ComboboxOption) => (
                  <Combobox.Item key={option.value} value={option} className={itemClass}>
                    <span className="min-w-0 grow">
                      {option.label}
                      {option.hint && <span className="block truncate text-xs text-muted">{option.hint}</span>}
                    </span>
                    <Combobox.ItemIndicator>
                      <Check aria-hidden="true" className="text-link" />
                    </Combobox.ItemIndicator>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </Field>
  );
}
