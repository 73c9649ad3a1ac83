import "server-only";
import { loadPart } from "@/lib/console/load-part";
import type { TableSource } from "@/lib/console/policy-table-query";
import { listReleases } from "@/lib/content/releases/queries";
import { listSources, type SourceOption } from "./sources";

/** Releases to choose from; of an older one the number can stand in the address. */
const max = 100;

/** The tables that can be chosen. Without the list of releases there are still the environments. */
export async function loadSources(chosen: readonly TableSource[]): Promise<SourceOption[]> {
  const part = await loadPart("releases to choose from", () =>
    listReleases({ limit: max, cursor: undefined, kind: undefined }),
  );
  return listSources("value" in part ? part.value.releases : [], chosen);
}
