/**
 * Whether a parsed JSON value has objects or lists inside each other beyond a limit.
 *
 * Goes no deeper than the limit, so a hostile value cannot exhaust the stack.
 *
 * @param limit the deepest nesting allowed; `{}` has 1
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((element) => isDeeperThan(element, limit - 1));
  for (const name in value) {
    if (isDeeperThan(Reflect.get(value, name), limit - 1)) return true;
  }
  return false;
}
