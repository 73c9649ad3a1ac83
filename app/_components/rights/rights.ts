import type { GroupReasonJson, MatrixCellJson } from "@/lib/simulator/answer-schema";
import { type HmiLevel, hmiLevels } from "@/lib/words/vocabulary";

/** HMI levels from the most visible to the least: the order of the columns. */
export const levelColumns = ["FULL", "LIMITED", "BACKGROUND", "NONE"] as const satisfies readonly HmiLevel[];

/** What stands at one level of an RPC or parameter. */
export type RightState = "granted" | "consent" | "withheld" | "none";

/** A line of the matrix: an RPC, or below it a parameter or module. */
export interface RightRow {
  readonly name: string;
  readonly cells: readonly MatrixCellJson[];
  readonly parameters: readonly (Omit<RightRow, "parameters"> & { readonly kind: "parameter" | "module" })[];
}

export function stateOf({ is_asked, is_granted, needs_consent }: MatrixCellJson): RightState {
  if (is_granted) return needs_consent ? "consent" : "granted";
  return is_asked ? "withheld" : "none";
}

/** Whether anything of a line is asked for and not granted. */
export function hasWithheld({ cells, parameters }: RightRow): boolean {
  return [cells, ...parameters.map((one) => one.cells)].some((list) =>
    list.some((cell) => stateOf(cell) === "withheld"),
  );
}

/** The lines whose name, or the name of a part of them, holds a text; of a line found by its parts, only those. */
export function narrowRows(rows: readonly RightRow[], text: string, isWithheldOnly: boolean): RightRow[] {
  const wanted = text.trim().toLowerCase();
  const isNamed = (name: string) => name.toLowerCase().includes(wanted);
  return rows.flatMap((row) => {
    if (isWithheldOnly && !hasWithheld(row)) return [];
    if (wanted === "" || isNamed(row.name)) return [row];
    const parameters = row.parameters.filter(({ name }) => isNamed(name));
    return parameters.length === 0 ? [] : [{ ...row, parameters }];
  });
}

type Grant = Pick<GroupReasonJson, "group" | "consent_prompt">;
type Grants = Map<HmiLevel, Grant[]>;

/**
 * What several groups allow together, RPC by RPC: a level counts as asked of the driver when every group that allows it has
 * a prompt.
 */
export function mergeRights(groups: readonly GroupReasonJson[]): RightRow[] {
  const rows = new Map<string, { readonly grants: Grants; readonly parameters: Map<string, Grants> }>();
  for (const group of groups) {
    for (const { name, levels, parameters, is_restricted: isRestricted } of group.rpcs) {
      const row = rows.get(name) ?? { grants: new Map<HmiLevel, Grant[]>(), parameters: new Map<string, Grants>() };
      rows.set(name, row);
      add(row.grants, levels, group);
      if (!isRestricted) continue;
      for (const parameter of parameters) {
        const grants = row.parameters.get(parameter) ?? new Map<HmiLevel, Grant[]>();
        row.parameters.set(parameter, grants);
        add(grants, levels, group);
      }
    }
  }
  return sortByName(
    Array.from(rows, ([name, { grants, parameters }]) => ({
      name,
      cells: toCells(grants),
      parameters: sortByName(
        Array.from(parameters, ([one, of]) => ({ name: one, kind: "parameter" as const, cells: toCells(of) })),
      ),
    })),
  );
}

function add(grants: Grants, levels: readonly HmiLevel[], group: Grant): void {
  for (const level of levels) grants.set(level, [...(grants.get(level) ?? []), group]);
}

function toCells(grants: ReadonlyMap<HmiLevel, readonly Grant[]>): MatrixCellJson[] {
  return hmiLevels.map((level) => {
    const given = grants.get(level) ?? [];
    const prompts = [...new Set(given.flatMap(({ consent_prompt }) => consent_prompt ?? []))];
    return {
      ...{ level, is_asked: false, is_granted: given.length > 0, reason: null },
      needs_consent: given.length > 0 && given.every(({ consent_prompt }) => consent_prompt !== null),
      ...{ prompts, groups: given.map(({ group }) => group) },
    };
  });
}

function sortByName<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
