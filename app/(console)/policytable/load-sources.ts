import "server-only";
import type { TableSource } from "@/lib/console/policy-table-query";
import { listSources, type SourceOption } from "./sources";

/** The tables that can be chosen. */
export function loadSources(chosen: readonly TableSource[]): Promise<SourceOption[]> {
  return Promise.resolve(listSources([], chosen));
}
