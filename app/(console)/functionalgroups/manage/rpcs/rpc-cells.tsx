import { Check, X } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/app/_components/ui/cn";

interface Cell {
  readonly column: number;
  /** Whether it is in the tab order. */
  readonly isActive: boolean;
}

export const selectColumn = 0;
export const removeColumn = 5;

function CellButton({ column, isActive, ...rest }: Readonly<Cell & ComponentProps<"button">>) {
  return <button type="button" data-column={column} tabIndex={isActive ? 0 : -1} {...rest} />;
}

export function SelectCell({
  name,
  isChosen,
  onChoose,
  isActive,
}: Readonly<{ name: string; isChosen: boolean; onChoose: (isOn: boolean) => void; isActive: boolean }>) {
  return (
    <CellButton
      column={selectColumn}
      isActive={isActive}
      role="checkbox"
      aria-checked={isChosen}
      aria-label={`Select ${name}`}
      className={cn(
        "relative grid size-4 place-items-center print:hidden rounded-[4px] border after:absolute after:-inset-1 pointer-coarse:after:-inset-x-2 pointer-coarse:after:-inset-y-3.5",
        isChosen ? "border-accent bg-accent text-on-accent" : "border-field bg-surface",
      )}
      onClick={() => onChoose(!isChosen)}
    >
      {isChosen && <Check aria-hidden="true" className="size-3 stroke-3" />}
    </CellButton>
  );
}

export function LevelCell({
  label,
  isSet,
  onToggle,
  ...cell
}: Readonly<
  Cell & {
    label: string;
    isSet: boolean;
    /** `isUpward`: this level and all more visible ones. */
    onToggle: ((isUpward: boolean) => void) | undefined;
  }
>) {
  return (
    <CellButton
      {...cell}
      role="checkbox"
      aria-checked={isSet}
      aria-label={label}
      aria-readonly={onToggle === undefined}
      className={cn(
        "grid h-7 w-full place-items-center rounded-control border transition-colors duration-75 sm:max-w-16 pointer-coarse:h-11",
        isSet ? "border-accent-line bg-accent-soft text-link" : "border-line bg-transparent text-muted",
        onToggle ? "hover:border-accent" : "cursor-default",
      )}
      onClick={(event) => onToggle?.(event.shiftKey)}
      onKeyDown={(event) => {
        if (event.key !== " ") return;
        event.preventDefault();
        onToggle?.(event.shiftKey);
      }}
      // Some browsers click a button when Space is released.
      onKeyUp={(event) => {
        if (event.key === " ") event.preventDefault();
      }}
    >
      {isSet ? <Check aria-hidden="true" className="size-4 stroke-[2.5]" /> : <span aria-hidden="true">–</span>}
    </CellButton>
  );
}

export function RemoveCell({
  name,
  onRemove,
  isActive,
}: Readonly<{ name: string; onRemove: () => void; isActive: boolean }>) {
  return (
    <CellButton
      column={removeColumn}
      isActive={isActive}
      aria-label={`Remove ${name}`}
      title={`Remove ${name}`}
      className="relative grid size-7 place-items-center print:hidden rounded-control text-muted after:absolute after:inset-0 hover:bg-active hover:text-bad pointer-coarse:after:-inset-2"
      onClick={onRemove}
    >
      <X aria-hidden="true" className="size-4" />
    </CellButton>
  );
}
