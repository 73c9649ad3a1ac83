import "server-only";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import { parameterRules, type ParameterSources } from "@/lib/policy/table/functional-groupings";
import { loadNewest } from "@/lib/records/store/queries";
import { selectPromotable } from "@/lib/records/store/views";
import type { EffectAnswer } from "@/lib/records/groups/wire";
import { keptGroups } from "@/lib/records/groups/record-cache";
import type { GroupContent } from "@/lib/records/groups/rules";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { grantedVersion } from "@/lib/policy/table/app-policies";
import { describePermitFinding, permitFindingRules } from "@/lib/policy/permits/permit-findings";
import { findChangeSurprises, type GroupEffect, summarizeEffect } from "@/lib/policy/effect/effect-summary";
import { carSettings } from "@/lib/policy/permits/conditions";
import { compareGroups } from "@/lib/policy/effect/group-effect";
import { findNeeds } from "@/lib/policy/checks/table-faults";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { createPacer } from "@/lib/platform/process/pacer";
import type { SnapshotApp, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { policySnapshot } from "@/lib/policy/status";
import { loadSettings } from "@/lib/platform/settings";
import { chosenCars } from "@/lib/vocabulary/head-units";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";

/** Limits of a response: effects, and the apps named in all of them together. */
const maxEffects = 50;
const maxFindings = 20;
const maxNamedApps = 50;
const fewestNamedApps = 5;

/** Reports what saving this content would change for the apps in staging. Writes nothing. */
export async function findSaveEffect(content: GroupContent): Promise<EffectAnswer> {
  const before = await loadNewest(keptGroups, "staging");
  const saved: SnapshotGroup = { ...content, id: 0, status: "STAGING" };
  const after = [...before.filter(({ name }) => name !== content.name), saved];
  return findEffect({ environment: "staging", before, after }, [content.name]);
}

/** Reports what publishing these staged groups (undefined: all) with their prompts and parameters changes for apps. */
export async function findPromotionEffect(ids: readonly number[] | undefined): Promise<EffectAnswer> {
  const [staged, before] = await Promise.all([loadNewest(keptGroups, "staging"), loadNewest(keptGroups, "production")]);
  const promoted = selectPromotable(ids ?? staged.map(({ id }) => id), staged);
  const names = new Set(promoted.map(({ name }) => name));
  const after = [...before.filter(({ name }) => !names.has(name)), ...promoted];
  return findEffect({ environment: "production", before, after }, [...names]);
}

interface Change {
  readonly environment: Environment;
  readonly before: readonly SnapshotGroup[];
  readonly after: readonly SnapshotGroup[];
}

async function findEffect({ environment, before, after }: Change, names: readonly string[]): Promise<EffectAnswer> {
  // Processes that serve a policy have the apps in memory; others load them for this one response.
  const snapshot = policySnapshot() ?? (await createSnapshotLoader().load());
  const { apps, permissions } = snapshot;
  const sources = await loadParameterSources();
  const rules = parameterRules({ ...sources, permissions });
  const items = listItemNames(sources);
  const cars = chosenCars(loadSettings());
  const { builds } = cars;
  const settings = carSettings(snapshot, environment);
  const comparison = compareGroups({ environment, before, after, permissions, rules, items, settings, builds }, names);
  const maxApps = Math.max(fewestNamedApps, Math.floor(maxNamedApps / Math.max(1, names.length)));
  const summary = await summarizeEffect(comparison, listApps(apps), { pace: createPacer(), maxApps });
  const surprises = await findChangeSurprises(comparison, listApps(apps), cars, createPacer());
  const [was, is] = [findNeeds(before, rules, items), findNeeds(after, rules, items)];
  const told = summary.effects.slice(0, maxEffects);
  const named = [...summary.holders, ...told.flatMap(({ apps: affected }) => affected)];
  const nameApps = await findNames(named, environment);
  return {
    environment,
    app_count: summary.appCount,
    holder_count: summary.holderCount,
    holders: nameApps(summary.holders),
    is_registration_lost: was.registers && !is.registers,
    is_update_lost: was.updates && !is.updates,
    effects: told.map((effect) => toJson(effect, nameApps)),
    findings: surprises.slice(0, maxFindings).map(({ finding, appCount }) => ({
      severity: "danger" as const,
      ...{ rule: permitFindingRules[finding.kind], build: finding.build, rpc: finding.rpc },
      ...{ groups: [...finding.groups], app_count: appCount, message: describePermitFinding(finding, appCount) },
    })),
    more_findings: Math.max(0, surprises.length - maxFindings),
    more_effects: summary.effects.length - told.length,
  };
}

function listItemNames({ rpcSpec, vehicleData }: ParameterSources): ReadonlySet<string> {
  const native = rpcSpec?.functions.filter((one) => one.name === "GetVehicleData" && one.messageType === "response");
  const custom = [...vehicleData.staging, ...vehicleData.production].filter(({ isDeleted }) => !isDeleted);
  return new Set([...(native ?? []).flatMap(({ params }) => params), ...custom].map(({ name }) => name));
}

async function findNames(apps: readonly SnapshotApp[], environment: Environment) {
  const ids = apps.flatMap((app) => grantedVersion(app, environment)?.id ?? []);
  const found = await ApplicationModel.find({ _id: { $in: [...new Set(ids)] } }, { name: 1 }).lean();
  const names = new Map(found.map(({ _id, name }) => [_id, name]));
  return (some: readonly SnapshotApp[]) => {
    const named = some.flatMap((app) => {
      const version = grantedVersion(app, environment);
      return version === null ? [] : [{ id: version.id, name: names.get(version.id) ?? app.uuid }];
    });
    return named.sort((one, other) => byLowerCase(one.name, other.name));
  };
}

function toJson(effect: GroupEffect, nameApps: Awaited<ReturnType<typeof findNames>>) {
  return {
    group: effect.group,
    kind: effect.kind,
    is_default: effect.isDefault,
    prompt_before: effect.promptBefore,
    prompt_after: effect.promptAfter,
    app_count: effect.appCount,
    apps: nameApps(effect.apps),
    rpcs: effect.rpcs.map(({ levels, parameters, appCount, rejectedCount, builds, ...rpc }) => ({
      ...rpc,
      builds: [...builds],
      hmi_levels: [...levels],
      parameters: [...parameters],
      app_count: appCount,
      rejected_count: rejectedCount,
    })),
    rejected: effect.rejected.map(({ appCount, ...calls }) => ({ ...calls, app_count: appCount })),
  };
}
