import { Combobox } from "@base-ui/react/combobox";
import { Search } from "lucide-react";
import { useState } from "react";
import { describeProblem } from "@/app/_components/feedback/problem";
import { ComboboxPopup } from "@/app/_components/fields/combobox-popup";
import type { TakenOver } from "@/app/_components/fields/input-on-demand";
import { itemClass } from "@/app/_components/overlay/popup-class";
import { longestSearch, usePaletteSearch } from "@/app/_components/shell/palette/use-palette-search";
import { ApprovalChip } from "@/app/_components/ui/status-chip";
import type { SearchAnswer } from "@/app/_search/schema";
import { InputIcon, inputWithIcon } from "@/app/_components/fields/plain-input";
import type { ChosenApp } from "./sources";

type FoundApp = SearchAnswer["applications"]["items"][number];

export interface AppSearchProps {
  readonly chosen: readonly ChosenApp[];
  readonly onChange: (apps: readonly ChosenApp[]) => void;
  readonly placeholder: string;
}

export function AppSearch({
  inputRef,
  typed,
  defaultOpen,
  chosen,
  onChange,
  placeholder,
}: Readonly<TakenOver & AppSearchProps>) {
  const [text, setText] = useState(typed);
  const { answer, error, isLoading } = usePaletteSearch(text.trim().slice(0, longestSearch));
  const isChosen = new Set(chosen.map(({ uuid }) => uuid));
  const found = (answer?.applications.items ?? []).filter(({ uuid }) => !isChosen.has(uuid));

  return (
    <Combobox.Root
      multiple
      items={found}
      filter={null}
      value={[]}
      defaultOpen={defaultOpen}
      inputValue={text}
      autoHighlight
      itemToStringLabel={(app: FoundApp) => app.name}
      isItemEqualToValue={(one: FoundApp, other: FoundApp) => one.uuid === other.uuid}
      onInputValueChange={(next, { reason }) => {
        if (reason === "input-change" || reason === "input-clear") setText(next);
      }}
      onValueChange={(apps: FoundApp[]) => {
        onChange([...chosen, ...apps.map(({ uuid, name }) => ({ uuid, name }))]);
        setText("");
      }}
    >
      <Combobox.InputGroup className="relative">
        <InputIcon icon={Search} />
        <Combobox.Input
          ref={inputRef}
          placeholder={placeholder}
          className={inputWithIcon}
          onKeyDown={(event) => {
            // Enter selects; it must not submit the form while there is text.
            if (event.key === "Enter" && text.trim() !== "") event.preventDefault();
          }}
        />
      </Combobox.InputGroup>
      <ComboboxPopup emptyText={describeEmpty(text, isLoading, error)}>
        {(app: FoundApp) => (
          <Combobox.Item key={app.uuid} value={app} className={itemClass}>
            <span className="min-w-0 grow">
              {app.name}
              <span className="block truncate text-xs text-muted">
                {app.vendor || "Unknown vendor"} · {app.uuid}
              </span>
            </span>
            <ApprovalChip state={app.state} />
          </Combobox.Item>
        )}
      </ComboboxPopup>
    </Combobox.Root>
  );
}

function describeEmpty(text: string, isLoading: boolean, error: unknown): string {
  if (text.trim() === "") return "Type part of a name, a vendor or an id";
  if (error !== null) return describeProblem(error);
  return isLoading ? "Searching…" : "No other app with this name";
}
