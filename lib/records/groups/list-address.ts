/** Query parameters of the group list. No zod, because the browser uses this too. */
import type { Environment } from "@/lib/vocabulary/terms";

export const groupFilterNames = ["q", "rpc", "param", "level", "grant", "prompt", "encryption"] as const;

/** Page that edits a group, or shows it with `production`. The address with a name stays valid after saves. */
export function groupPath(group: { readonly id: number } | { readonly name: string }, environment: Environment) {
  const key = "id" in group ? `id=${group.id}` : `name=${encodeURIComponent(group.name)}`;
  return `/functionalgroups/manage?${key}&environment=${environment}`;
}
