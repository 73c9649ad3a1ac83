/** The list of groups in the console: what its address can say. Without zod, for the browser. */
import type { Environment } from "@/lib/labels/vocabulary";

/** The members of the query that narrow the list, besides the state. */
export const groupFilterNames = ["q", "rpc", "param", "level", "grant", "prompt", "encryption"] as const;

/** Where one group is edited, or with `production` read. A group is known by its name: that address stays good. */
export function groupPath(group: { readonly id: number } | { readonly name: string }, environment: Environment) {
  const key = "id" in group ? `id=${group.id}` : `name=${encodeURIComponent(group.name)}`;
  return `/functionalgroups/manage?${key}&environment=${environment}`;
}
