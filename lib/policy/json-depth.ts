/**
 * Whether a parsed JSON value has objects or lists inside each other beyond a limit.
 *
 * Goes no deeper than the limit, so a hostile value cannot exhaust the stack.
 *
 * @param limit the deepest nesting allowed; `{}` has 1
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  return isBranch(value) && hasBranchBelow(value, limit);
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Looks at leaves without a call each: this runs for every vehicle request. */
function hasBranchBelow(branch: object, limit: number): boolean {
  if (limit === 0) return true;
  if (Array.isArray(branch)) {
    for (const element of branch as readonly unknown[]) {
      if (isBranch(element) && hasBranchBelow(element, limit - 1)) return true;
    }
    return false;
  }
  const members = branch as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (isBranch(member) && hasBranchBelow(member, limit - 1)) return true;
  }
  return false;
}
