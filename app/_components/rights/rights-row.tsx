import { ChevronRight } from "lucide-react";
import { PermissionLink } from "@/app/_components/rights/permission-link";
import { RightMark, rightLabels } from "@/app/_components/rights/right-mark";
import { levelColumns, type RightRow, stateOf } from "@/app/_components/rights/rights";
import { Breakable } from "@/app/_components/ui/breakable";
import { cn } from "@/app/_components/ui/cn";
import { plural } from "@/lib/vocabulary/format-number";
import type { MatrixCellJson } from "@/lib/policy/why/answer-schema";
import type { ComponentProps, ReactNode } from "react";
import { ItemLinks } from "@/app/_components/rights/withheld-list";
import type { ItemFamily } from "@/lib/vocabulary/release-items";
import type { Environment } from "@/lib/vocabulary/terms";

export function markKey(id: string, level: string): string {
  return `${id} ${level}`;
}

export interface Matrix {
  readonly environment: Environment;
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
  /** The mark in the tab order. */
  readonly stop: string | null;
  readonly onStop: (key: string) => void;
}

export function RightsRow({
  id,
  row: { name, cells, kind },
  parent,
  matrix: { environment, chosen, onChoose, stop, onStop },
  children,
}: Readonly<{
  id: string;
  row: Pick<RightRow, "name" | "cells"> & { readonly kind?: "parameter" | "module" };
  parent?: string;
  matrix: Matrix;
  children?: ReactNode;
}>) {
  const ordered = levelColumns.flatMap((level) => cells.filter((cell) => cell.level === level));
  const open = ordered.find(({ level }) => markKey(id, level) === chosen);
  const what = parent === undefined ? name : `${name} of ${parent}`;
  const reasonsId = `${id}-reasons`;
  const permission =
    parent === undefined || kind === "module" ? { rpc: parent ?? name } : { rpc: parent, parameter: name };
  return (
    <>
      <tr>
        <th scope="row" className={cn("py-1 pr-2 font-normal", parent === undefined ? "pl-4" : "pl-10")}>
          <span className="flex flex-wrap items-center gap-x-1">
            {/* Not in the tab order, like all marks but one: the reasons have the same link. */}
            <span className="min-w-0 font-mono text-xs">
              {kind === "module" ? <Breakable text={name} /> : <PermissionLink {...permission} tabIndex={-1} />}
            </span>
            {children}
          </span>
        </th>
        {ordered.map((cell) => {
          const key = markKey(id, cell.level);
          return (
            <td key={key} className="px-1 py-1">
              <Mark
                cell={cell}
                what={what}
                tabIndex={key === stop ? 0 : -1}
                aria-expanded={cell === open}
                aria-controls={cell === open ? reasonsId : undefined}
                onFocus={() => onStop(key)}
                onClick={() => onChoose(key)}
              />
            </td>
          );
        })}
      </tr>
      {open && (
        <tr>
          <td colSpan={1 + levelColumns.length} id={reasonsId} className="bg-hover px-4 py-2.5">
            <RightReasons cell={open} environment={environment}>
              <PermissionLink {...permission} className="font-mono text-xs text-link">
                {what}
              </PermissionLink>
            </RightReasons>
          </td>
        </tr>
      )}
    </>
  );
}

export function FoldButton({
  row: { name, parameters },
  isOpen,
  onToggle,
}: Readonly<{ row: RightRow; isOpen: boolean; onToggle: () => void }>) {
  const withheld = parameters.filter(({ cells }) => cells.some((cell) => cell.is_asked && !cell.is_granted)).length;
  const kind = parameters.every((one) => one.kind === "module") ? "module" : "parameter";
  const count = plural(parameters.length, kind);
  const missing = withheld > 0 ? `, ${withheld} not granted` : "";
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${name}: ${count}${missing}`}
      onClick={onToggle}
      className="flex min-h-6 shrink-0 items-center gap-0.5 rounded-control px-1 text-xs text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-11"
    >
      <ChevronRight aria-hidden="true" className={cn("size-3.5", isOpen && "rotate-90")} />
      {count}
      {missing !== "" && <span className="text-bad">{missing}</span>}
    </button>
  );
}

function Mark({ cell, what, ...button }: Readonly<{ cell: MatrixCellJson; what: string } & ComponentProps<"button">>) {
  const state = stateOf(cell);
  if (state === "none") {
    return (
      <span className="grid h-6 place-items-center text-muted">
        <span aria-hidden="true">–</span>
        <span className="sr-only">Neither requested nor granted</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      {...button}
      data-mark=""
      aria-label={`${what} at ${cell.level}: ${rightLabels[state].word}${cell.is_asked && cell.is_granted ? ", requested" : ""}`}
      title={rightLabels[state].word}
      className="relative mx-auto grid min-h-7 w-full max-w-14 place-items-center rounded-control hover:bg-hover aria-expanded:bg-active pointer-coarse:min-h-11"
    >
      <RightMark state={state} />
      {cell.is_asked && (
        <span aria-hidden="true" className="absolute inset-y-0 right-0.5 grid place-items-center font-semibold">
          •
        </span>
      )}
    </button>
  );
}

function RightReasons({
  cell,
  environment,
  children,
}: Readonly<{
  cell: MatrixCellJson;
  environment: Environment;
  children: ReactNode;
}>) {
  const { level, is_asked: isAsked, groups, prompts, reason, differs, conditions } = cell;
  const state = stateOf(cell);
  const links = (family: ItemFamily, keys: readonly string[]) => (
    <ItemLinks family={family} keys={keys} environment={environment} />
  );
  const steps: ReactNode[] = [isAsked ? "The app requests it." : "The app does not request it at this level."];
  if (state === "withheld") steps.push(reason ?? "Nothing grants it.");
  else steps.push(<>Granted by {links("group", groups)}.</>);
  if (state === "consent") steps.push(<>Only after the driver agrees to {links("message", prompts)}.</>);
  else if (prompts.length > 0) {
    steps.push(<>The driver is not asked, because one of the groups has no consent prompt.</>);
  }
  if (differs !== null && differs !== reason) steps.push(differs);
  for (const { is_rejected: isRejected, message, cure } of conditions) {
    steps.push(isRejected ? `But the car rejects it: ${message}. To change this, ${cure}.` : message);
  }
  return (
    <div role="status" className="text-table">
      <p className="font-medium">
        {children} at {level}
      </p>
      <ol className="mt-1 list-decimal space-y-0.5 pl-5 text-muted">
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
