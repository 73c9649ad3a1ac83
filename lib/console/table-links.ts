import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import type { Environment } from "@/lib/labels/vocabulary";

/** Ids of the records behind the names in a policy table, so that a part of it leads to its editor. */
export interface TableLinks {
  readonly groups: Readonly<Record<string, number>>;
  readonly messages: Readonly<Record<string, number>>;
}

/** Reads the ids from the ends of an index; no record is read. */
export async function loadTableLinks(environment: Environment): Promise<TableLinks> {
  const [groups, messages] = await Promise.all([findHeads("group", environment), findHeads("message", environment)]);
  const byKey = (heads: typeof groups) => Object.fromEntries(heads.map(({ key, id }) => [key, id]));
  return { groups: byKey(groups), messages: byKey(messages) };
}
