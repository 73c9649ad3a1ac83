import { type Cell, type Count, type Dimension, maxValues, otherValue } from "@/lib/fleet/dimensions";
import type { Environment } from "@/lib/vocabulary/terms";

/** Values in the cells of a software or country, together: they are multiples of those of all vehicles (rule S5). */
const maxValuesOfParts = 20_000;

type Values = Map<string, Record<string, number>>;
interface Place extends Pick<Count, "environment" | "cell"> {
  readonly dimensions: Map<Dimension, Values>;
}

/** Counts of an hour that are not handed over yet, in bounded memory (rule S5). */
export class Tally {
  readonly #places = new Map<string, Place>();
  #valuesOfParts = 0;
  /** How often a value was counted as "other". */
  others = 0;

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  add({ environment, cell, ...part }: Count): void {
    this.addAll(environment, cell, [part], 1);
  }

  /** Adds what a request says of a cell, as often as it counts. */
  addAll(
    environment: Environment,
    cell: Cell,
    parts: readonly Omit<Count, "environment" | "cell">[],
    times: number,
  ): void {
    const { dimensions } = this.#placeOf(environment, cell);
    for (const { dimension, value, counters } of parts) {
      let values = dimensions.get(dimension);
      if (values === undefined) dimensions.set(dimension, (values = new Map()));
      const counted = values.get(value) ?? this.#begin(values, cell, value);
      for (const name in counters) counted[name] = (counted[name] ?? 0) + (counters[name] ?? 0) * times;
    }
  }

  /** Takes out some of the counts, those of one place together. */
  take(most: number): Count[] {
    const taken: Count[] = [];
    for (const [key, { dimensions, ...place }] of this.#places) {
      for (const [dimension, values] of dimensions) {
        for (const [value, counters] of values) {
          if (taken.length === most) return taken;
          taken.push({ ...place, dimension, value, counters });
          values.delete(value);
        }
        dimensions.delete(dimension);
      }
      this.#places.delete(key);
    }
    return taken;
  }

  #placeOf(environment: Environment, cell: Cell): Place {
    const key = `${environment} ${cell.of} ${"value" in cell ? cell.value : ""}`;
    const place = this.#places.get(key) ?? { environment, cell, dimensions: new Map() };
    this.#places.set(key, place);
    return place;
  }

  #begin(values: Values, cell: Cell, value: string): Record<string, number> {
    const isPart = cell.of !== "all";
    if (values.size >= maxValues || (isPart && this.#valuesOfParts >= maxValuesOfParts)) {
      this.others += 1;
      const other = values.get(otherValue) ?? {};
      values.set(otherValue, other);
      return other;
    }
    if (isPart) this.#valuesOfParts += 1;
    const counted = {};
    values.set(value, counted);
    return counted;
  }
}
