import dynamic from "next/dynamic";
import type { KeyboardEvent } from "react";
import { rpcMember, type RpcRule, withRules } from "@/app/(console)/functionalgroups/group-form";
import { fromLevelUp, levelOrder, orderLevels } from "@/app/(console)/functionalgroups/levels";
import type { GroupPart } from "@/app/(console)/functionalgroups/manage/group-facts";
import {
  LevelCell,
  removeColumn,
  RemoveCell,
  SelectCell,
} from "@/app/(console)/functionalgroups/manage/rpcs/rpc-cells";
import { ParametersButton, RpcName } from "@/app/(console)/functionalgroups/manage/rpcs/rpc-name";
import { fieldId } from "@/app/_components/fields/field";
import { cn } from "@/app/_components/ui/cn";
import type { HmiLevel } from "@/lib/labels/vocabulary";

// Fetched when the parameters of an RPC are opened.
const ParameterEditor = dynamic(
  () => import("@/app/(console)/functionalgroups/manage/rpcs/parameter-editor").then((m) => m.ParameterEditor),
  { ssr: false },
);

/** The columns of the grid, for head and rows. On phones the levels stand below the name: a finger needs 44 px. */
export const rowGrid =
  "grid grid-cols-[1rem_repeat(4,minmax(0,1fr))_1.75rem] items-center gap-x-2 px-3 sm:px-4 sm:grid-cols-[1rem_minmax(0,1fr)_repeat(4,5.5rem)_1.75rem]";
const levelColumns = ["max-sm:col-start-2", "max-sm:col-start-3", "max-sm:col-start-4", "max-sm:col-start-5"];

export interface RowState {
  readonly index: number;
  readonly measure: ((element: Element | null) => void) | undefined;
  /** Whether a control of the row is the one in the tab order. */
  readonly isActive: (column: number) => boolean;
  readonly isChosen: boolean;
  readonly onChoose: (isOn: boolean) => void;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onRemove: () => void;
}

/** One RPC: the levels it may be called at, and on demand its parameters. */
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
