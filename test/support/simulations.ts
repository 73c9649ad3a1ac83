import type { GroupReasonJson, MatrixAnswer, MatrixCellJson, SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";

const everyApp: GroupReasonJson = {
  ...{ group: "Base-4", because: "default group", permissions: [], causes: [], consent_prompt: null },
};

export function aGroupReason<Partial extends object>(partial: Partial) {
  return { ...everyApp, ...partial };
}

export function aSimulation(partial: Partial<SimulationAnswer> = {}): SimulationAnswer {
  return {
    table: { functional_groupings: { "Base-4": { rpcs: { Alert: { hmi_levels: ["FULL"] } } } } },
    reasons: [
      {
        ...{ id: "uuid-1", decided_by: "A5", outcome: "own entry", sentence: "Version 4 is the newest accepted one." },
        app: { uuid: "uuid-1", name: "Tune Harbor", version_id: 41, version: "4" },
        groups: [everyApp],
        withheld: [{ permission: "gps", level: "FULL", reason: "No group grants it.", kind: "no group", groups: [] }],
      },
    ],
    fixed: [{ id: "default", groups: [everyApp] }],
    groups: [{ group: "Base-4", rpcs: [{ name: "Alert", levels: ["FULL"], parameters: [], is_restricted: false }] }],
    request: { app_policies: { "uuid-1": {} }, module_config: { full_app_id_supported: true } },
    verdict: { regular: { is_accepted: true, findings: [] }, external: { is_accepted: true, findings: [] } },
    head_unit: "8.2",
    bytes: { plain: 123_400, gzip: 12_300 },
    ...partial,
  };
}

export function aCell(level: HmiLevel, partial: Partial<MatrixCellJson> = {}): MatrixCellJson {
  const nothing = {
    is_asked: false,
    is_granted: false,
    needs_consent: false,
    reason: null,
    differs: null,
    conditions: [],
  };
  return { level, ...nothing, builds: { regular: false, external: false }, prompts: [], groups: [], ...partial };
}

export function someCells(cells: { readonly [level in HmiLevel]?: Partial<MatrixCellJson> }): MatrixCellJson[] {
  return hmiLevels.map((level) => aCell(level, cells[level]));
}

export function aMatrix(partial: Partial<MatrixAnswer> = {}): MatrixAnswer {
  const granted = { is_asked: true, is_granted: true, groups: ["Base-4"] };
  const refused = { is_asked: true, reason: "Only Location-1 grants it, and it is proprietary." };
  return {
    app: { uuid: "uuid-1", name: "Tune Harbor", version_id: 41, version: "4", approval_status: "STAGING" },
    ...{ environment: "staging", head_unit: "8.2", served_id: 41, is_served: true, is_blocked: false },
    rpcs: [
      { name: "Alert", cells: someCells({ FULL: granted }), parameters: [] },
      {
        name: "GetVehicleData",
        cells: someCells({ FULL: { ...granted, needs_consent: true, prompts: ["Location"], groups: ["Location-1"] } }),
        parameters: [{ name: "gps", kind: "parameter", cells: someCells({ FULL: refused }) }],
      },
    ],
    groups: [],
    surprises: [],
    withheld: [],
    ...partial,
  };
}
