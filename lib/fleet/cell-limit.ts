import { type Cell, maxCellValues, unitMs } from "@/lib/fleet/dimensions";

/** Which cells an hour has: the first 50 values of each kind, so that hostile requests make no others (rule S5). */
export class CellLimit {
  readonly #known = new Map<string, Set<string>>();
  #hour = 0;

  admits(cell: Cell, at: number): boolean {
    if (cell.of === "all") return true;
    const hour = Math.floor(at / unitMs.hour);
    if (hour !== this.#hour) this.#known.clear();
    this.#hour = hour;
    const values = this.#known.get(cell.of) ?? new Set();
    this.#known.set(cell.of, values);
    return values.has(cell.value) || (values.size < maxCellValues && values.add(cell.value).size > 0);
  }
}
