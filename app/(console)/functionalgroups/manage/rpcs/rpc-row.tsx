import dynamic from "next/dynamic";
import type { KeyboardEvent } from "react";
import { rpcMember, type RpcRule, withRules, fromLevelUp, orderLevels, fillGap, hasGap } from "../../group-form";
import { levelOrder } from "@/lib/records/groups/rules";
import type { GroupPart } from "../group-facts";
import { LevelCell, removeColumn, RemoveCell, SelectCell } from "./rpc-cells";
import { fieldId } from "@/app/_components/fields/field";
import { cn } from "@/app/_components/ui/cn";
import type { HmiLevel } from "@/lib/vocabulary/terms";
import { ChevronRight, CircleDashed, TriangleAlert } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";

const ParameterEditor = dynamic(() => import("./parameter-editor").then((m) => m.ParameterEditor), { ssr: false });

/** On phones, the levels are below the name: touch targets need 44 px. */
export const rowGrid =
  "grid grid-cols-[1rem_repeat(4,minmax(0,1fr))_1.75rem] items-center gap-x-2 px-3 sm:px-4 sm:grid-cols-[1rem_minmax(0,1fr)_repeat(4,5.5rem)_1.75rem]";
const levelColumns = ["max-sm:col-start-2", "max-sm:col-start-3", "max-sm:col-start-4", "max-sm:col-start-5"];

interface RowState {
  readonly index: number;
  readonly measure: ((element: Element | null) => void) | undefined;
  readonly isActive: (column: number) => boolean;
  readonly isChosen: boolean;
  readonly onChoose: (isOn: boolean) => void;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onRemove: () => void;
}

export function RpcRow({
  name,
  rule,
  part,
  row: { index, measure, isActive, isChosen, onChoose, isOpen, onOpen, onRemove },
}: Readonly<{ name: string; rule: RpcRule; part: GroupPart; row: RowState }>) {
  const { facts, change } = part;
  const { levels, parameters } = rule;
  const possible = facts.rpcs.find((one) => one.name === name)?.parameters.length ?? 0;
  const onLevels =
    change &&
    ((next: readonly HmiLevel[]) => change((value) => withRules(value, { [name]: { ...rule, levels: next } })));

  function toggle(level: HmiLevel, isUpward: boolean) {
    const others = levels.includes(level) ? levels.filter((one) => one !== level) : [...levels, level];
    onLevels?.(isUpward ? fromLevelUp(level) : orderLevels(others));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Delete" || !change || !(event.target as HTMLElement).closest("[data-column]")) return;
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
          {change && <SelectCell name={name} isChosen={isChosen} onChoose={onChoose} isActive={isActive(0)} />}
        </span>
        <span role="rowheader" className="min-w-0 max-sm:col-span-4">
          <RpcName name={name} levels={levels} isUnmapped={facts.unmapped.includes(name)} onLevels={onLevels} />
          <ParametersButton name={name} count={parameters.length} possible={possible} isOpen={isOpen} onOpen={onOpen} />
        </span>
        {levelOrder.map((level, at) => (
          <span key={level} role="gridcell" className={cn("flex justify-center max-sm:row-start-2", levelColumns[at])}>
            <LevelCell
              label={`${name}: ${level}`}
              isSet={levels.includes(level)}
              column={at + 1}
              isActive={isActive(at + 1)}
              onToggle={change && ((isUpward) => toggle(level, isUpward))}
            />
          </span>
        ))}
        <span role="gridcell" className="flex justify-end max-sm:col-start-6 max-sm:row-start-1">
          {change && <RemoveCell name={name} onRemove={onRemove} isActive={isActive(removeColumn)} />}
        </span>
      </div>
      {isOpen && (
        <div role="row">
          <div role="gridcell" aria-colspan={7} className="border-b border-line bg-hover px-4 py-3 sm:pl-11">
            <ParameterEditor name={name} rule={rule} part={part} />
          </div>
        </div>
      )}
    </div>
  );
}

function RpcName({
  name,
  levels,
  isUnmapped,
  onLevels,
}: Readonly<{
  name: string;
  levels: RpcRule["levels"];
  isUnmapped: boolean;
  onLevels: ((levels: RpcRule["levels"]) => void) | undefined;
}>) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="font-medium wrap-anywhere hyphens-auto">{name}</span>
      {isUnmapped && (
        <Chip tone="warn" icon={CircleDashed}>
          Unmapped
        </Chip>
      )}
      {levels.length === 0 && (
        <Chip tone="bad" icon={TriangleAlert}>
          No level
        </Chip>
      )}
      {hasGap(levels) && (
        <span className="inline-flex items-center gap-1.5">
          <Chip tone="warn" icon={TriangleAlert}>
            Gap
          </Chip>
          {onLevels && (
            <button
              type="button"
              className="h-6 text-xs font-medium text-link hover:underline print:hidden"
              aria-label={`Fill the gap of ${name}`}
              onClick={() => onLevels(fillGap(levels))}
            >
              Fill
            </button>
          )}
        </span>
      )}
    </span>
  );
}

function ParametersButton({
  name,
  count,
  possible,
  isOpen,
  onOpen,
}: Readonly<{ name: string; count: number; possible: number; isOpen: boolean; onOpen: (isOpen: boolean) => void }>) {
  if (possible === 0 && count === 0) return null;
  const words = count === 0 ? "No parameters" : `${count} of ${possible} parameters`;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${name}: ${words}`}
      className="inline-flex h-6 items-center gap-0.5 text-left text-xs text-muted hover:text-text pointer-coarse:h-11"
      onClick={() => onOpen(!isOpen)}
    >
      <ChevronRight aria-hidden="true" className={cn("-ml-0.5 size-3.5 transition-transform", isOpen && "rotate-90")} />
      <span className={cn("tabular-nums", count === 0 && "text-warn")}>{words}</span>
    </button>
  );
}
