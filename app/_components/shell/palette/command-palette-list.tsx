import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search, X } from "lucide-react";
import { useTheme } from "next-themes";
import { type RefObject, useMemo, useState } from "react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Problem } from "@/app/_components/feedback/problem";
import { listActions } from "@/app/_components/shell/palette/command-palette-actions";
import type { PaletteGroup, PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { listFound, listIdle } from "@/app/_components/shell/palette/command-palette-results";
import { useRole } from "@/app/_components/shell/role";
import { signOut } from "@/app/_components/shell/session/session";
import { longestSearch, usePaletteSearch } from "@/app/_components/shell/palette/use-palette-search";
import { plural } from "@/lib/vocabulary/format-number";
import { useFocusAtOnce } from "@/app/_components/overlay/on-demand";
import { itemClass } from "@/app/_components/overlay/popup-class";
import { cn } from "@/app/_components/ui/cn";
import { Spinner } from "@/app/_components/ui/spinner";
import { ApprovalChip } from "@/app/_components/ui/status-chip";

export function PaletteSearchList({
  inputRef,
  canSignOut,
  onChoose,
}: Readonly<{
  inputRef: RefObject<HTMLInputElement | null>;
  canSignOut: boolean;
  onChoose: (item: PaletteItem) => void;
}>) {
  useFocusAtOnce(() => inputRef.current);
  const [text, setText] = useState("");
  const q = text.trim();
  const { setTheme } = useTheme();
  const search = usePaletteSearch(q);
  const actions = useMemo(
    () => listActions({ setTheme, signOut: canSignOut ? () => void signOut() : null }),
    [setTheme, canSignOut],
  );
  const role = useRole();
  const groups = useMemo(
    () => (q === "" ? listIdle(role) : listFound(q, search, actions, role)),
    [q, search, actions, role],
  );
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const isNothing = count === 0 && !search.isLoading && search.error === null;

  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={text}
      onValueChange={(value, { reason }) => {
        if (reason !== "item-press") setText(value);
      }}
      itemToStringValue={(item: PaletteItem) => item.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line pr-2.5 pl-4">
        {search.isLoading ? <Spinner label="" /> : <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />}
        <Autocomplete.Input
          ref={inputRef}
          aria-label="Search everything"
          placeholder="Search apps, groups, RPCs…"
          maxLength={longestSearch}
          autoComplete="off"
          spellCheck={false}
          className="h-full min-w-0 grow truncate bg-transparent text-base outline-none sm:text-sm"
        />
        <Dialog.Close render={<IconButton icon={X} label="Close" size="icon-sm" />} />
      </div>
      {search.error !== null && (
        <div className="px-2 pt-2">
          <Problem error={search.error}>
            <p className="text-text">You can still find pages and actions.</p>
          </Problem>
        </div>
      )}
      <div className="min-h-0 grow overflow-y-auto overscroll-contain">
        {isNothing && (
          <div className="px-6 py-12 text-center">
            <p className="font-medium">Nothing found for “{q}”</p>
            <p className="mt-1 text-table text-muted">
              Search covers names of apps, vendors, groups, messages, vehicle data, RPCs and parameters.
            </p>
          </div>
        )}
        <Autocomplete.List aria-label="Results" className="scroll-py-2 p-2 data-empty:p-0">
          {(group: PaletteGroup) => (
            <Autocomplete.Group key={group.value} items={group.items} className="not-last:mb-2">
              <Autocomplete.GroupLabel className="px-2 pt-1.5 pb-1 text-xs font-semibold text-muted">
                {group.value}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: PaletteItem) => <PaletteRow key={item.id} item={item} onChoose={onChoose} />}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
      <footer className="flex min-h-9 shrink-0 items-center justify-between gap-4 border-t border-line bg-page px-4 text-xs text-muted">
        {q === "" && <p>Also actions: “new group”, “theme”</p>}
        <Autocomplete.Status>{describeState(q, search.isLoading, count)}</Autocomplete.Status>
        <Keys />
      </footer>
    </Autocomplete.Root>
  );
}

/** Screen readers announce changes of this text. */
function describeState(q: string, isLoading: boolean, count: number): string {
  if (q === "") return "";
  if (isLoading) return "Searching…";
  return count === 0 ? "Nothing found" : plural(count, "result");
}

const keys = [
  ["↑ ↓", "move"],
  ["Enter", "open"],
  ["Esc", "close"],
] as const;

function Keys() {
  return (
    <p aria-hidden="true" className="flex gap-3 whitespace-nowrap pointer-coarse:hidden">
      {keys.map(([key, what]) => (
        <span key={key}>
          <kbd className="font-sans font-medium text-text">{key}</kbd> {what}
        </span>
      ))}
    </p>
  );
}

function PaletteRow({ item, onChoose }: Readonly<{ item: PaletteItem; onChoose: (item: PaletteItem) => void }>) {
  const { icon: Icon, label, hint, state, isInner = false, isCode = false } = item;
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onChoose(item)}
      className={cn(itemClass, "min-h-9 gap-2.5 data-highlighted:bg-active", isInner && "pl-8.5")}
    >
      <Icon aria-hidden="true" className="text-muted" />
      <span
        className={cn(
          "min-w-0 truncate",
          hint !== undefined && "max-w-[65%] shrink-0",
          isCode && "font-mono text-table",
        )}
      >
        {label}
      </span>
      {hint !== undefined && hint !== "" && <span className="min-w-0 truncate text-table text-muted">{hint}</span>}
      {state !== undefined && (
        <span className="ml-auto shrink-0 pl-2">
          <ApprovalChip state={state} />
        </span>
      )}
    </Autocomplete.Item>
  );
}
