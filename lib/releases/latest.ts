import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/** Keeps the latest result of each state, because a page asks for parts of it; a failure is forgotten. */
export function latestPerState<T>() {
  const latest = new WeakMap<PolicySnapshot, { readonly key: string; readonly made: Promise<T> }>();
  return (state: PolicySnapshot, key: string, make: () => Promise<T>): Promise<T> => {
    const known = latest.get(state);
    if (known?.key === key) return known.made;
    const made = make();
    latest.set(state, { key, made });
    made.catch(() => latest.delete(state));
    return made;
  };
}
