"use client";
import { Fragment, useId, useState } from "react";
import { moveBetweenMarks } from "@/app/_components/rights/move-between-marks";
import { markKey, RightsRow } from "@/app/_components/rights/rights-row";
import { levelColumns, type RightRow, stateOf } from "@/app/_components/rights/rights";

const shortNames = { FULL: "FULL", LIMITED: "LIM.", BACKGROUND: "BACK.", NONE: "NONE" } as const;

/**
 * RPCs by HMI level, their parameters folded below them. A mark is a button: it opens the reasons below its line; one of
 * them is in the tab order, arrow keys lead to the others. The header stays in view.
 */
export function RightsTable({
  rows,
  caption,
  environment,
  areOpen,
}: Readonly<{
  rows: readonly RightRow[];
  caption: string;
  /** Of the links to groups and messages. */
  environment: "staging" | "production";
  /** Lines are open from the start: they were looked for. */
  areOpen: boolean;
}>) {
  const id = useId();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const toggle = (name: string) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  const [left, setLeft] = useState<string | null>(null);
  const marks = listMarks(rows, id, (name) => areOpen !== toggled.has(name));
  const stop = left !== null && marks.includes(left) ? left : (marks[0] ?? null);
  const shared = {
    stop,
    onStop: setLeft,
    environment,
    chosen,
    onChoose: (key: string) => setChosen(key === chosen ? null : key),
  };
  return (
    <div
      className="relative max-h-144 overflow-y-auto"
      tabIndex={0}
      role="region"
      aria-label={`${caption}, to be scrolled`}
    >
      <table className="w-full text-left text-table">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-1 bg-surface text-2xs text-muted">
          <tr>
            <th scope="col" className="border-b border-line px-4 py-1.5 font-medium">
              RPC
            </th>
            {levelColumns.map((level) => (
              <th key={level} scope="col" className="border-b border-line px-1 py-1.5 text-center font-medium sm:w-24">
                <span className="max-sm:sr-only">{level}</span>
                <span aria-hidden="true" className="sm:hidden">
                  {shortNames[level]}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line" onKeyDown={moveBetweenMarks}>
          {rows.map((row) => {
            const isOpen = areOpen !== toggled.has(row.name);
            return (
              <Fragment key={row.name}>
                <RightsRow
                  {...shared}
                  id={`${id}${row.name}`}
                  row={row}
                  fold={row.parameters.length > 0 ? { isOpen, onToggle: () => toggle(row.name), row } : null}
                />
                {isOpen &&
                  row.parameters.map((parameter) => (
                    <RightsRow
                      key={parameter.name}
                      {...shared}
                      id={`${id}${row.name}.${parameter.name}`}
                      row={parameter}
                      parent={row.name}
                      fold={null}
                    />
                  ))}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The marks that are shown, from left to right and line by line. */
function listMarks(rows: readonly RightRow[], id: string, isOpen: (name: string) => boolean): string[] {
  const ofLine = (line: string, cells: RightRow["cells"]) =>
    levelColumns.flatMap((level) =>
      cells.some((cell) => cell.level === level && stateOf(cell) !== "none") ? [markKey(line, level)] : [],
    );
  return rows.flatMap(({ name, cells, parameters }) => [
    ...ofLine(`${id}${name}`, cells),
    ...(isOpen(name) ? parameters.flatMap((one) => ofLine(`${id}${name}.${one.name}`, one.cells)) : []),
  ]);
}
