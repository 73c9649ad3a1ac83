import { Combobox } from "@base-ui/react/combobox";
import { Check, ChevronsUpDown, X } from "lucide-react";
import { comboboxGroupClass, comboboxInputClass } from "@/app/_components/fields/input-class";
import { ComboboxPopup } from "@/app/_components/fields/combobox-popup";
import type { TakenOver } from "@/app/_components/fields/input-on-demand";
import { itemClass } from "@/app/_components/overlay/popup-class";

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export interface ComboboxProps {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly options: readonly ComboboxOption[];
  readonly placeholder: string;
  readonly emptyText: string;
}

const buttonClass = "grid size-7 shrink-0 place-items-center text-muted print:hidden";

export function ComboboxInput({
  inputRef,
  typed,
  defaultOpen,
  value,
  onChange,
  options,
  placeholder,
  emptyText,
}: Readonly<TakenOver & ComboboxProps>) {
  const chosen = options.find((option) => option.value === value) ?? null;
  // Text typed before the list loaded is also a search: Enter takes its first match. Only the library's type omits
  // "always".
  const highlight = (typed === "" || "always") as boolean;
  return (
    <Combobox.Root
      items={options}
      value={chosen}
      defaultOpen={defaultOpen}
      {...(typed !== "" && { defaultInputValue: typed })}
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={(option) => onChange(option?.value ?? null)}
      autoHighlight={highlight}
    >
      <Combobox.InputGroup className={comboboxGroupClass}>
        <Combobox.Input ref={inputRef} placeholder={placeholder} className={comboboxInputClass} />
        <Combobox.Clear aria-label="Clear" className={buttonClass}>
          <X aria-hidden="true" className="size-3.5" />
        </Combobox.Clear>
        <Combobox.Trigger aria-label="Show all" className={buttonClass}>
          <ChevronsUpDown aria-hidden="true" className="size-3.5" />
        </Combobox.Trigger>
      </Combobox.InputGroup>
      <ComboboxPopup emptyText={emptyText}>
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
      </ComboboxPopup>
    </Combobox.Root>
  );
}
