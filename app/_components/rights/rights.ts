import type { AllowedRpcs, GroupReasonJson, MatrixCellJson } from "@/lib/policy/why/answer-schema";
import { isPermitted, permits, type PermitGroup, type Permits } from "@/lib/policy/permits/permits";
import { type ByBuild, type CarBuild, carBuilds } from "@/lib/vocabulary/head-units";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";

/** From the most to the least visible. */
export const levelColumns = ["FULL", "LIMITED", "BACKGROUND", "NONE"] as const satisfies readonly HmiLevel[];

export type RightState = "granted" | "consent" | "rejected" | "withheld" | "none";

export interface RightRow {
  readonly name: string;
  readonly cells: readonly MatrixCellJson[];
  readonly parameters: readonly (Omit<RightRow, "parameters"> & { readonly kind: "parameter" | "module" })[];
}

export function stateOf({ is_asked, is_granted, needs_consent, conditions }: MatrixCellJson): RightState {
  if (is_granted) return needs_consent ? "consent" : "granted";
  if (conditions.some(({ is_rejected }) => is_rejected)) return "rejected";
  return is_asked ? "withheld" : "none";
}

export function hasWithheld({ cells, parameters }: RightRow): boolean {
  return [cells, ...parameters.map((one) => one.cells)].some((list) =>
    list.some((cell) => cell.is_asked && !cell.is_granted),
  );
}

/** If only parts match, just those parts. */
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

type Held = readonly (GroupReasonJson & { readonly rpcs: AllowedRpcs })[];

/** How vehicles combine several groups, RPC by RPC (`head-unit-rules.md` C1 to C4). */
export function mergeRights(groups: Held, chosen: readonly CarBuild[] = carBuilds): RightRow[] {
  const inTable = groups.map(({ group, rpcs }): PermitGroup => {
    const listed = rpcs.map((rpc) => ({ ...rpc, parameters: rpc.is_restricted ? rpc.parameters : null }));
    return { name: group, prompt: null, rpcs: listed };
  });
  const found = { regular: permits(inTable, "regular", "all"), external: permits(inTable, "external", "all") };
  const names = new Set(groups.flatMap(({ rpcs }) => rpcs.map(({ name }) => name)));
  return sortByName(
    Array.from(names, (name) => {
      const parameters = new Set(groups.flatMap(({ rpcs }) => rpcs.flatMap((rpc) => parametersOf(rpc, name))));
      const cells = (parameter: string | null) =>
        hmiLevels.map((level) => toCell(groups, found, chosen, { name, level, parameter }));
      return {
        name,
        cells: cells(null),
        parameters: sortByName(
          Array.from(parameters, (one) => ({ name: one, kind: "parameter" as const, cells: cells(one) })),
        ),
      };
    }),
  );
}

const parametersOf = (rpc: AllowedRpcs[number], name: string) =>
  rpc.name === name && rpc.is_restricted ? rpc.parameters : [];

function toCell(
  groups: Held,
  found: ByBuild<Permits>,
  chosen: readonly CarBuild[],
  { name, level, parameter }: { readonly name: string; readonly level: HmiLevel; readonly parameter: string | null },
): MatrixCellJson {
  const builds = {
    regular: isPermitted(found.regular, name, level, parameter),
    external: isPermitted(found.external, name, level, parameter),
  };
  const given = groups.filter(({ rpcs }) =>
    rpcs.some(
      (rpc) =>
        rpc.name === name &&
        rpc.levels.includes(level) &&
        (parameter === null || !rpc.is_restricted || rpc.parameters.includes(parameter)),
    ),
  );
  const isGranted = chosen.every((build) => builds[build]);
  return {
    ...{ level, is_asked: false, is_granted: isGranted, builds, reason: null },
    needs_consent: isGranted && given.length > 0 && given.every(({ consent_prompt }) => consent_prompt !== null),
    prompts: [...new Set(given.flatMap(({ consent_prompt }) => consent_prompt ?? []))],
    groups: given.map(({ group }) => group),
    ...{ differs: null, conditions: [] },
  };
}

function sortByName<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
