import { AppError } from "@/lib/platform/errors";

/** Deeper than any body of this API; a guard for whatever walks a body recursively. */
export const deepest = 64;
/**
 * Values that a body may hold: checking a wrong one costs some microseconds, and the process does nothing else meanwhile. An
 * export with decisions about 10,000 apps has fewer.
 */
export const maxValues = 300_000;
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Takes the keys that could reach a prototype out of a freshly parsed value, on every level (`api.md` 0.2). Changes the
 * value in place.
 *
 * @param keptIn a member of the value in which all keys stay, because its keys are data; null: none
 * @throws AppError 400 when the value is nested beyond 64 levels, or holds more than 300,000 values
 */
export function dropPrototypeKeys(value: unknown, keptIn: string | null = null): void {
  walk(value, deepest, { count: 0, keptIn, isDropping: true });
}

interface Walk {
  count: number;
  /** At the top only. */
  readonly keptIn: string | null;
  isDropping: boolean;
}

function walk(value: unknown, left: number, state: Walk): void {
  state.count += 1;
  if (state.count > maxValues) throw new AppError("invalid", `Body must not hold more than ${maxValues} values`);
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new AppError("invalid", `Body must not be nested deeper than ${deepest} levels`);
  if (Array.isArray(value)) {
    for (const element of value) walk(element, left - 1, state);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (left === deepest) state.isDropping = key !== state.keptIn;
    if (state.isDropping && prototypeKeys.has(key)) Reflect.deleteProperty(value, key);
    else walk(member, left - 1, state);
  }
}
