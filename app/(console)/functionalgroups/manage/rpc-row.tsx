"use client";
import dynamic from "next/dynamic";
import { Check, ChevronRight, CircleDashed, TriangleAlert, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { fieldId } from "@/app/_components/fields/field";
import { rpcMember, type RpcRule } from "@/app/(console)/functionalgroups/group-form";
import { fillGap, fromLevelUp, hasGap, levelOrder, orderLevels } from "@/app/(console)/functionalgroups/levels";
import type { Change } from "@/app/(console)/functionalgroups/manage/general-section";
import type { GroupFacts, RpcChoice } from "@/app/(console)/functionalgroups/manage/group-facts";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import type { HmiLevel } from "@/lib/words/vocabulary";

// Fetched when the parameters of an RPC are opened.
const ParameterEditor = dynamic(
  () => import("@/app/(console)/functionalgroups/manage/parameter-editor").then((m) => m.ParameterEditor),
  { ssr: false },
);

/** The columns of the grid, for head and rows. On phones the levels stand below the name: a finger needs 44 px. */
export const rowGrid =
  "grid grid-cols-[1rem_repeat(4,minmax(0,1fr))_1.75rem] items-center gap-x-2 px-3 sm:px-4 sm:grid-cols-[1rem_minmax(0,1fr)_repeat(4,5.5rem)_1.75rem]";
const levelColumns = ["max-sm:col-start-2", "max-sm:col-start-3", "max-sm:col-start-4", "max-sm:col-start-5"];

/** One RPC: the levels it may be called at, and on demand its parameters. */
export function RpcRow({
  name,
  rule,
  index,
  choice,
  facts,
  measure,
  isChosen,
  isOpen,
  isActive,
  onChange,
  onRemove,
  changeGroup,
  onChoose,
  onOpen,
  heldVehicleDataRpcs,
}: Readonly<{
  name: string;
  rule: RpcRule;
  index: number;
  choice: RpcChoice | undefined;
  facts: GroupFacts;
  measure: ((element: Element | null) => void) | undefined;
  isChosen: boolean;
  isOpen: boolean;
  isActive: (column: number) => boolean;
  onChange?: (rule: RpcRule) => void;
  onRemove?: () => void;
  changeGroup: Change;
  onChoose: (isOn: boolean) => void;
  onOpen: (isOpen: boolean) => void;
  heldVehicleDataRpcs: readonly string[];
}>) {
  const { levels, parameters } = rule;
  const possible = choice?.parameters.length ?? 0;
  const isGapped = hasGap(levels);

  function setLevel(level: HmiLevel, isUpward: boolean) {
    const others = levels.includes(level) ? levels.filter((one) => one !== level) : [...levels, level];
    onChange?.({ ...rule, levels: isUpward ? fromLevelUp(level) : orderLevels(others) });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Delete" || !onRemove || !(event.target as HTMLElement).closest("[data-column]")) return;
    event.preventDefault();
    onRemove();
  }

  return (
    <div role="rowgroup" ref={measure} data-index={index} id={fieldId(rpcMember(name))}>
      <div
        role="row"
        data-row={index}
        aria-rowindex={index + 2}
        aria-selected={isChosen}
        className={cn(
          rowGrid,
          "min-h-10 gap-y-1 border-b border-line py-1 hover:bg-hover max-sm:py-2",
          isChosen && "bg-accent-soft hover:bg-accent-soft",
        )}
        onKeyDown={onKeyDown}
      >
        <span role="gridcell" className="flex">
          {onChange && (
            <button
              type="button"
              role="checkbox"
              aria-checked={isChosen}
              aria-label={`Select ${name}`}
              data-column={0}
              tabIndex={isActive(0) ? 0 : -1}
              className={cn(
                "relative grid size-4 place-items-center rounded-[4px] border after:absolute after:-inset-1 pointer-coarse:after:-inset-x-2 pointer-coarse:after:-inset-y-3.5",
                isChosen ? "border-accent bg-accent text-on-accent" : "border-field bg-surface",
              )}
              onClick={() => {
                onChoose(!isChosen);
              }}
            >
              {isChosen && <Check aria-hidden="true" className="size-3 stroke-3" />}
            </button>
          )}
        </span>
        <span role="rowheader" className="min-w-0 max-sm:col-span-4">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-medium wrap-anywhere hyphens-auto">{name}</span>
            {facts.unmapped.includes(name) && (
              <Chip tone="warn" icon={CircleDashed}>
                Unmapped
              </Chip>
            )}
            {levels.length === 0 && (
              <Chip tone="bad" icon={TriangleAlert}>
                No level
              </Chip>
            )}
            {isGapped && (
              <span className="inline-flex items-center gap-1.5">
                <Chip tone="warn" icon={TriangleAlert}>
                  Gap
                </Chip>
                {onChange && (
                  <button
                    type="button"
                    className="h-6 text-xs font-medium text-link hover:underline"
                    aria-label={`Fill the gap of ${name}`}
                    onClick={() => {
                      onChange({ ...rule, levels: fillGap(levels) });
                    }}
                  >
                    Fill
                  </button>
                )}
              </span>
            )}
          </span>
          {(possible > 0 || parameters.length > 0) && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`${name}: ${parameters.length === 0 ? "No" : `${parameters.length} of ${possible}`} parameters`}
              className="inline-flex h-6 items-center gap-0.5 text-left text-xs text-muted hover:text-text pointer-coarse:h-11"
              onClick={() => {
                onOpen(!isOpen);
              }}
            >
              <ChevronRight
                aria-hidden="true"
                className={cn("-ml-0.5 size-3.5 transition-transform", isOpen && "rotate-90")}
              />
              <span className={cn("tabular-nums", parameters.length === 0 && "text-warn")}>
                {parameters.length === 0 ? "No parameters" : `${parameters.length} of ${possible} parameters`}
              </span>
            </button>
          )}
        </span>
        {levelOrder.map((level, at) => (
          <span key={level} role="gridcell" className={cn("flex justify-center max-sm:row-start-2", levelColumns[at])}>
            <LevelCell
              label={`${name}: ${level}`}
              isSet={levels.includes(level)}
              column={at + 1}
              isActive={isActive(at + 1)}
              {...(onChange
                ? {
                    onToggle: (isUpward: boolean) => {
                      setLevel(level, isUpward);
                    },
                  }
                : {})}
            />
          </span>
        ))}
        <span role="gridcell" className="flex justify-end max-sm:col-start-6 max-sm:row-start-1">
          {onRemove && (
            <button
              type="button"
              data-column={5}
              tabIndex={isActive(5) ? 0 : -1}
              aria-label={`Remove ${name}`}
              title={`Remove ${name}`}
              className="relative grid size-7 place-items-center rounded-control text-muted after:absolute after:inset-0 hover:bg-active hover:text-bad pointer-coarse:after:-inset-2"
              onClick={onRemove}
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          )}
        </span>
      </div>
      {isOpen && (
        <div role="row">
          <div role="gridcell" aria-colspan={7} className="border-b border-line bg-hover px-4 py-3 sm:pl-11">
            <ParameterEditor
              name={name}
              rule={rule}
              choice={choice}
              facts={facts}
              change={changeGroup}
              siblings={heldVehicleDataRpcs}
            />
          </div>
        </div>
      )}
    </div>
  );
}

function LevelCell({
  label,
  isSet,
  column,
  isActive,
  onToggle,
}: Readonly<{
  label: string;
  isSet: boolean;
  column: number;
  isActive: boolean;
  /** `isUpward`: this level and all that are more visible. */
  onToggle?: (isUpward: boolean) => void;
}>) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSet}
      aria-label={label}
      aria-readonly={onToggle === undefined}
      data-column={column}
      tabIndex={isActive ? 0 : -1}
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
      // Some browsers press a button when Space is let go.
      onKeyUp={(event) => {
        if (event.key === " ") event.preventDefault();
      }}
    >
      {isSet ? <Check aria-hidden="true" className="size-4 stroke-[2.5]" /> : <span aria-hidden="true">–</span>}
    </button>
  );
}
