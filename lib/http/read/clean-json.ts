import { AppError } from "@/lib/errors";

/** Deeper than any body of this API; a guard for whatever walks a body recursively. */
export const deepest = 64;
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Takes the keys that could reach a prototype out of a freshly parsed value, on every level (`api.md` 0.2). Changes the
 * value in place.
 *
 * @throws AppError 400 when the value is nested beyond 64 levels
 */
export function dropPrototypeKeys(value: unknown, left = deepest): void {
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new AppError("invalid", `Body must not be nested deeper than ${deepest} levels`);
  if (Array.isArray(value)) {
    for (const element of value) dropPrototypeKeys(element, left - 1);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (prototypeKeys.has(key)) Reflect.deleteProperty(value, key);
    else dropPrototypeKeys(member, left - 1);
  }
}
