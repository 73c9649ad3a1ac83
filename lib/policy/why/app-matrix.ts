import {
  describePermitFinding,
  findPermitSurprises,
  permitFindingRules,
  type CarPark,
} from "@/lib/policy/permits/permit-findings";
import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { MatrixAnswer, MatrixCellJson } from "@/lib/policy/why/answer-schema";
import { toGroupReason } from "@/lib/policy/why/explain";
import { explainGroups, levelOf } from "@/lib/policy/why/group-causes";
import type { SimulatorView } from "@/lib/policy/why/view";
import {
  findCarAnswer,
  entryOf,
  listGivers,
  groupNamesOf,
  needsConsent,
  requirementOf,
  type CarQuestion,
  type Requirement,
} from "@/lib/policy/why/requirements";
import { explainCars, explainNotGranted, listWithheld, toConditionsJson } from "@/lib/policy/why/why";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { hmiLevels, type HmiLevel } from "@/lib/vocabulary/terms";

type Matrix = Pick<MatrixAnswer, "rpcs" | "groups" | "withheld" | "surprises">;
type Row = Matrix["rpcs"][number];

interface Filling {
  readonly view: SimulatorView;
  readonly granted: ReadonlySet<string>;
  readonly entry: CarQuestion["entry"];
  readonly asked: ReadonlyMap<string, ReadonlySet<HmiLevel>>;
}

/** Per RPC and HMI level, with parameters and modules below their RPCs (`releases.md` L15). */
export function buildMatrix(
  view: SimulatorView,
  app: SnapshotApp,
  version: SnapshotAppVersion,
  cars: CarPark = { builds: view.asked.builds, oldest: "4.5" },
): Matrix {
  const groups = explainGroups(view, app, version);
  const granted = groupNamesOf(groups);
  const entry = entryOf(view, { outcome: "own entry", app, version });
  const filling = { view, granted, entry, asked: readAsked(version) };
  const below = listBelow(filling);
  const allowed = groups.flatMap(({ group }) => view.groups.get(group.name)?.allowed ?? []);
  for (const { name, parameters } of allowed) {
    const known = below.get(name) ?? new Map<string, Requirement>();
    below.set(name, known);
    for (const parameter of parameters ?? []) known.set(parameter, { kind: "parameter", name: parameter, rpc: name });
  }
  return {
    rpcs: [...below.keys()].sort(byCodeUnit).map((name) => buildRow(filling, name, below.get(name) ?? new Map())),
    groups: groups.map(toGroupReason),
    withheld: listWithheld(view, version, groups, entry),
    surprises: findPermitSurprises(view.table(), [...granted], cars).map((finding) => ({
      ...{ rule: permitFindingRules[finding.kind], rpc: finding.rpc },
      message: describePermitFinding(finding, null),
    })),
  };
}

function readAsked({ permissions }: SnapshotAppVersion): ReadonlyMap<string, ReadonlySet<HmiLevel>> {
  const asked = new Map<string, Set<HmiLevel>>();
  for (const { key, hmiLevel } of permissions) {
    const level = levelOf(hmiLevel);
    const levels = asked.get(key) ?? new Set();
    asked.set(key, levels);
    if (level !== null) levels.add(level);
  }
  return asked;
}

function listBelow({ view, asked }: Filling): Map<string, Map<string, Requirement>> {
  const below = new Map<string, Map<string, Requirement>>();
  for (const key of asked.keys()) {
    const requirement = requirementOf(view, key);
    const rpcs = requirement.kind === "rpc" ? [key] : parentsOf(view, requirement);
    for (const rpc of rpcs) {
      const known = below.get(rpc) ?? new Map<string, Requirement>();
      below.set(rpc, known);
      if (requirement.kind === "module") known.set(key, { kind: "module", name: key, rpcs: [rpc] });
      else if (requirement.kind === "parameter") known.set(key, { kind: "parameter", name: key, rpc });
    }
  }
  return below;
}

/** According to the app directory, and to the groups that store it. */
function parentsOf(view: SimulatorView, { name }: Requirement): readonly string[] {
  const stored = view
    .holders(name)
    .flatMap(({ group }) => group.rpcs.filter(({ parameters }) => parameters.includes(name)).map((rpc) => rpc.name));
  return distinct([...(view.permissions.get(name)?.parents ?? []), ...stored]);
}

function buildRow(filling: Filling, name: string, below: ReadonlyMap<string, Requirement>): Row {
  return {
    name,
    cells: buildCells(filling, { kind: "rpc", name }),
    parameters: [...below.values()]
      .toSorted((a, b) => byCodeUnit(a.name, b.name))
      .map((requirement) => ({
        name: requirement.name,
        kind: requirement.kind === "module" ? "module" : "parameter",
        cells: buildCells(filling, requirement),
      })),
  };
}

function buildCells(filling: Filling, requirement: Requirement): MatrixCellJson[] {
  const { view, granted, entry, asked } = filling;
  return hmiLevels.map((level) => {
    const question = { requirement, level, granted, entry };
    const answer = findCarAnswer(view, question);
    const { builds, byGroups, isAllowed: isGranted } = answer;
    const givers = listGivers(view, question, byGroups);
    const isAsked = asked.get(requirement.name)?.has(level) === true;
    const prompts = distinct(givers.all.flatMap(({ group }) => group.userConsentPrompt ?? []));
    return {
      level,
      is_asked: isAsked,
      is_granted: isGranted,
      builds,
      needs_consent: isGranted && needsConsent(givers),
      prompts,
      groups: givers.all.map(({ group }) => group.name),
      reason: isAsked && !isGranted ? explainNotGranted(view, question).reason : null,
      differs: builds.regular === builds.external ? null : explainCars(view, question, byGroups).join(" "),
      conditions: toConditionsJson(answer),
    };
  });
}
