import { Combobox } from "@base-ui/react/combobox";
import { CircleDashed, Plus } from "lucide-react";
import { type ClipboardEvent, useState } from "react";
import type { WantedPermission } from "../../group-form";
import { InputIcon, inputWithIcon } from "@/app/_components/fields/plain-input";
import { cn } from "@/app/_components/ui/cn";
import type { TakenOver } from "@/app/_components/fields/input-on-demand";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";
import { rank } from "@/app/_search/rank";

const maxShown = 60;

export interface PermissionChoice extends WantedPermission {
  readonly isUnmapped: boolean;
}

export interface PermissionSearchProps {
  readonly choices: readonly PermissionChoice[];
  readonly onChoose: (chosen: readonly PermissionChoice[]) => void;
  /** Returns whether it handled the pasted text. */
  readonly onPaste: (event: ClipboardEvent) => boolean;
  readonly placeholder: string;
}

export function PermissionSearch({
  inputRef,
  typed,
  defaultOpen,
  choices,
  onChoose,
  onPaste,
  placeholder,
}: Readonly<TakenOver & PermissionSearchProps>) {
  const [text, setText] = useState(typed);
  const q = text.trim();
  // As in `ComboboxInput`: Enter takes the first match of text typed before the list loaded.
  const highlight = (typed === "" || "always") as boolean;
  return (
    <Combobox.Root
      multiple
      items={q === "" ? choices : rank(choices, q, ({ name }) => [name])}
      filter={null}
      value={[]}
      defaultOpen={defaultOpen}
      inputValue={text}
      limit={maxShown}
      autoHighlight={highlight}
      itemToStringLabel={(choice: PermissionChoice) => choice.name}
      isItemEqualToValue={(one: PermissionChoice, other: PermissionChoice) => one.name === other.name}
      onInputValueChange={(next, { reason }) => {
        // Keeps the text after a choice: the next permission may be a neighbour.
        if (reason === "input-change" || reason === "input-clear") setText(next);
      }}
      onValueChange={onChoose}
    >
      <Combobox.InputGroup className="relative">
        <InputIcon icon={Plus} />
        <Combobox.Input
          ref={inputRef}
          placeholder={placeholder}
          className={inputWithIcon}
          onPaste={(event) => {
            if (onPaste(event)) setText("");
          }}
          onKeyDown={(event) => {
            // Enter selects; it must not submit the form if nothing is highlighted.
            if (event.key === "Enter") event.preventDefault();
          }}
        />
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
          <Combobox.Popup className={cn(popupClass, "w-(--anchor-width) min-w-72")}>
            <Combobox.Empty>
              <p className="px-3 py-3 text-table text-muted">Nothing with this name that is not in the group already</p>
            </Combobox.Empty>
            <Combobox.List className="max-h-[min(22rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
              {(choice: PermissionChoice) => <ChoiceItem key={choice.name} choice={choice} />}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function ChoiceItem({ choice }: Readonly<{ choice: PermissionChoice }>) {
  return (
    <Combobox.Item value={choice} className={itemClass}>
      <span className="min-w-0 grow">
        {choice.name}
        {choice.type === "PARAMETER" && (
          <span className="block truncate text-xs text-muted">{choice.parents.join(", ")}</span>
        )}
      </span>
      {choice.isUnmapped && (
        <span className="inline-flex items-center gap-1 text-xs text-warn">
          <CircleDashed aria-hidden="true" />
          unmapped
        </span>
      )}
      <span className="text-xs text-muted">{choice.type === "RPC" ? "RPC" : "parameter"}</span>
    </Combobox.Item>
  );
}
