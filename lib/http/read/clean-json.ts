import { AppError } from "@/lib/errors";

/** Deeper than any body of this API; a guard for whatever walks a body recursively. */
export const deepest = 64;
/**
 * Values that a body may hold: checking a wrong one costs some microseconds, and the process does nothing else meanwhile. An
 * export with decisions about 10,000 apps has fewer.
 */
export const mostValues = 300_000;
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Takes the keys that could reach a prototype out of a freshly parsed value, on every level (`api.md` 0.2). Changes the
 * value in place.
 *
 * @throws AppError 400 when the value is nested beyond 64 levels, or holds more than 300,000 values
 */
export function dropPrototypeKeys(value: unknown, left = deepest, seen = { count: 0 }): void {
  seen.count += 1;
  if (seen.count > mostValues) throw new AppError("invalid", `Body must not hold more than ${mostValues} values`);
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new AppError("invalid", `Body must not be nested deeper than ${deepest} levels`);
  if (Array.isArray(value)) {
    for (const element of value) dropPrototypeKeys(element, left - 1, seen);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (prototypeKeys.has(key)) Reflect.deleteProperty(value, key);
    else dropPrototypeKeys(member, left - 1, seen);
  }
}
