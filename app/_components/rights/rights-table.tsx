import { Fragment, useId, useState, type KeyboardEvent } from "react";
import { FoldButton, markKey, type Matrix, RightsRow } from "@/app/_components/rights/rights-row";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { levelColumns, type RightRow, stateOf } from "@/app/_components/rights/rights";

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const shortNames = { FULL: "FULL", LIMITED: "LIM.", BACKGROUND: "BACK.", NONE: "NONE" } as const;

/** A mark opens its reasons below the line. The header is sticky. */
export function RightsTable({
  rows,
  caption,
  environment,
  areOpen,
}: Readonly<{
  rows: readonly RightRow[];
  caption: string;
  environment: "staging" | "production";
  /** For search results. */
  areOpen: boolean;
}>) {
  const id = useId();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const [left, setLeft] = useState<string | null>(null);
  function toggle(name: string) {
    const next = new Set(toggled);
    if (!next.delete(name)) next.add(name);
    setToggled(next);
  }
  const isPrinting = usePrinting();
  const isOpen = (name: string) => isPrinting || areOpen !== toggled.has(name);
  const marks = listMarks(rows, id, isOpen);
  const matrix: Matrix = {
    environment,
    chosen,
    onChoose: (key) => setChosen(key === chosen ? null : key),
    stop: left !== null && marks.includes(left) ? left : (marks[0] ?? null),
    onStop: setLeft,
  };
  return (
    <div
      className="relative max-h-144 overflow-y-auto"
      tabIndex={0}
      role="region"
      aria-label={`${caption}, scrollable`}
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
          {rows.map((row) => (
            <Fragment key={row.name}>
              <RightsRow matrix={matrix} id={`${id}${row.name}`} row={row}>
                {row.parameters.length > 0 && (
                  <FoldButton row={row} isOpen={isOpen(row.name)} onToggle={() => toggle(row.name)} />
                )}
              </RightsRow>
              {isOpen(row.name) &&
                row.parameters.map((parameter) => (
                  <RightsRow
                    key={parameter.name}
                    matrix={matrix}
                    id={`${id}${row.name}.${parameter.name}`}
                    row={parameter}
                    parent={row.name}
                  />
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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

/** One mark is in the tab order and arrow keys reach the others, so that keyboard users can get past the matrix. */
function moveBetweenMarks(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLTableCellElement>("td") : null;
  const row = cell?.closest("tr");
  if (!step || !cell || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [down, right] = step;
  const rows = [...event.currentTarget.querySelectorAll("tr")];
  const markAt = (line: HTMLTableRowElement | undefined, column: number) =>
    line?.cells[column]?.querySelector<HTMLElement>("[data-mark]");
  let [line, column] = [rows.indexOf(row) + down, cell.cellIndex + right];
  while (line >= 0 && line < rows.length && column >= 0 && column < row.cells.length) {
    const mark = markAt(rows[line], column);
    if (mark) {
      mark.focus();
      return;
    }
    line += down;
    column += right;
  }
}
