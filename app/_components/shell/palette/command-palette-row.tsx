"use client";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { cn } from "@/app/_components/ui/cn";
import { itemClass } from "@/app/_components/overlay/popup-class";
import type { PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { usePreference } from "@/app/_components/hooks/use-preference";
import { ApprovalChip } from "@/app/_components/ui/status-chip";

/** One line of the palette. */
export function PaletteRow({ item, onChoose }: Readonly<{ item: PaletteItem; onChoose: (item: PaletteItem) => void }>) {
  const { icon: Icon, label, hint, keys, state, isInner = false, isCode = false } = item;
  const [singleKeys] = usePreference("shortcuts");
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => {
        onChoose(item);
      }}
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
      {keys !== undefined && singleKeys === "on" && (
        <kbd aria-hidden="true" className="ml-auto shrink-0 pl-2 font-sans text-xs text-muted pointer-coarse:hidden">
          {keys}
        </kbd>
      )}
      {state !== undefined && (
        <span className="ml-auto shrink-0 pl-2">
          {state === "BLOCKED" ? <ApprovalChip status="ACCEPTED" isBlocked /> : <ApprovalChip status={state} />}
        </span>
      )}
    </Autocomplete.Item>
  );
}
