import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { buildFixedEntries } from "@/lib/policy/table/app-policies";
import { buildConsumerMessages } from "@/lib/policy/table/consumer-messages";
import { buildFunctionalGroupings, promptlessGroups } from "@/lib/policy/table/functional-groupings";
import type { HeadUnitFinding, HeadUnitSeverity } from "@/lib/policy/head-unit/finding";
import { createSharedParts, type Part } from "@/lib/policy/snapshot/shared-parts";
import { buildModuleConfig } from "@/lib/policy/table/module-config";
import { createPacer } from "@/lib/platform/process/pacer";
import type { AppCatalogue, PolicySnapshot } from "@/lib/policy/table/snapshot";
import { checkTable, isBlocking } from "@/lib/policy/checks/table-faults";
import { findStranding } from "@/lib/policy/table/stranding";
import { buildVehicleData } from "@/lib/policy/table/vehicle-data";
import type { RecordItemFamily } from "@/lib/labels/release-items";
import type { Environment } from "@/lib/labels/vocabulary";
import { loadSettings } from "@/lib/platform/settings";

/** What the sections that all vehicles share are read from, before and after the writes of a transaction. */
export interface Comparison {
  /** Families whose records are written; nothing else of these sections may be. */
  readonly families: readonly RecordItemFamily[];
  /** What this process has of them in memory, if it follows the database. */
  readonly known: PolicySnapshot | null;
}

/**
 * Runs the writes of a promotion and refuses it when the production table that it leads to has a fault that must not
 * reach vehicles by accident (`isBlocking`), unless today's table already has that fault: an existing fault must not
 * prevent the repair of another one.
 *
 * @param about what is written, and what is known
 * @param force publishes whatever is found
 * @returns what `write` returned
 * @throws AppError 409 with `data.findings`; the transaction must be left by it, so that nothing is stored
 */
export async function requireNoNewFaults<T>(
  tx: Transaction,
  about: Comparison,
  force: boolean,
  write: () => Promise<T>,
): Promise<T> {
  if (force) return write();
  const { findings, value } = await findNewFaults(tx, "production", about, write);
  if (findings.length === 0) return value;
  const has = (wanted: HeadUnitSeverity) => findings.some(({ severity }) => severity === wanted);
  const ending = has("stranded") ? "Cars would never ask for another policy" : "The policy table would be faulty";
  const fault = has("refused") ? "Head units would refuse the policy table" : ending;
  throw new AppError("conflict", `${fault} after this promotion; send force: true to promote anyway`, {
    data: { findings },
  });
}

/**
 * Runs the writes of a transaction and compares the table of one environment, as the transaction sees it, before and
 * after them: the sections that all vehicles share and the fixed app entries.
 *
 * @param about what is written, and what is known
 * @returns the faults (`isBlocking`) that the writes bring, and what `write` returned
 * @throws AppError 400 with `data.findings` for what must not be saved in staging (rule G12)
 */
export async function findNewFaults<T>(
  tx: Transaction,
  environment: Environment,
  { families, known }: Comparison,
  write: () => Promise<T>,
): Promise<{ readonly findings: readonly HeadUnitFinding[]; readonly value: T }> {
  const reader = createReader(tx, known);
  const before = findFaults(await reader.load(), environment);
  const value = await write();
  const findings = subtractFindings(findFaults(await reader.loadWritten(families), environment), before);
  if (environment === "staging") requireNoStranding(findings);
  return { findings, value };
}

/** A value that would end the updates of cars is never saved, whoever saves it (rule G12). */
function requireNoStranding(findings: readonly HeadUnitFinding[]): void {
  const stranding = findings.filter(({ severity }) => severity === "stranded");
  const [first] = stranding;
  if (first) throw new AppError("invalid", `${first.path}: ${first.message}`, { data: { findings: stranding } });
}

/** The findings that `known` does not hold, or not as bad; positions in lists may have shifted and do not count. */
export function subtractFindings(
  findings: readonly HeadUnitFinding[],
  known: readonly HeadUnitFinding[],
): HeadUnitFinding[] {
  const left = new Map<string, number[]>();
  for (const finding of known) {
    const identity = identityOf(finding);
    // The smallest sufficient one is used up first.
    left.set(
      identity,
      [...(left.get(identity) ?? []), extentOf(finding)].toSorted((a, b) => a - b),
    );
  }
  return findings.filter((finding) => {
    const extents = left.get(identityOf(finding)) ?? [];
    const match = extents.findIndex((extent) => extentOf(finding) <= extent);
    if (match >= 0) extents.splice(match, 1);
    return match < 0;
  });
}

function identityOf({ build, path, rule, message }: HeadUnitFinding): string {
  return JSON.stringify([build, path.replaceAll(/\[\d+\]/g, "[]"), rule, message.replaceAll(/\d+/g, "#")]);
}

/** How far a limit is exceeded: of 300 groups one can be taken away and none be added. */
function extentOf({ message }: HeadUnitFinding): number {
  return Number(/\bnot (\d+)\.?$/.exec(message)?.[1] ?? 0);
}

function findFaults(snapshot: PolicySnapshot, environment: Environment): HeadUnitFinding[] {
  return findTableFindings(snapshot, environment).filter(isBlocking);
}

/** All findings in the sections that all vehicles share and in the fixed app entries (rules F3, G9, G10 and G12). */
export function findTableFindings(snapshot: PolicySnapshot, environment: Environment): readonly HeadUnitFinding[] {
  const found = checkTable(buildTable(snapshot, environment), promptlessGroups(snapshot, environment));
  // No table that this server builds shows them.
  return [...found, ...findStranding(snapshot, environment)];
}

/** The table without the entries of apps. Without a module config that section is missing. */
function buildTable(snapshot: PolicySnapshot, environment: Environment): unknown {
  const [config] = snapshot.moduleConfigs[environment];
  const settings = loadSettings();
  // Head units limit the length; the plain form is the longer of the two that rule M10 knows.
  const isSent = settings.certificateGeneration.enabled && config?.certificate && config.privateKey;
  const certificate = isSent ? `${config.certificate}\n${config.privateKey}` : null;
  const options = {
    publicBaseUrl: settings.publicBaseUrl,
    certificates: { staging: certificate, production: certificate },
  };
  const report = () => undefined;
  const sections: readonly (readonly [string, string])[] = [
    ...(config ? [["module_config", buildModuleConfig(config, environment, options, false)] as const] : []),
    ["vehicle_data", buildVehicleData(snapshot, environment, report)],
    ["functional_groupings", buildFunctionalGroupings(snapshot, environment)],
    ["consumer_friendly_messages", buildConsumerMessages(snapshot, environment, report)],
  ];
  const apps = Object.entries(buildFixedEntries(snapshot, environment));
  const parse = (entries: readonly (readonly [string, string])[]) =>
    Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return { ...parse(sections), app_policies: parse(apps) };
}

const noApps: AppCatalogue = { byUuid: () => undefined, byShortId: () => [], size: 0 };

/**
 * Reads what the shared sections are made of, as the transaction sees it. What this process has in memory of that revision, or
 * of an earlier one, is not read again: records are append-only, and every change raises the revision.
 */
function createReader(tx: Transaction, followed: PolicySnapshot | null) {
  const revision = tx.revision - 1;
  const known = followed !== null && followed.revision <= revision ? followed : null;
  const parts = createSharedParts(() => undefined, known);
  const pace = createPacer();
  const read = async (some: readonly Part[], since: number): Promise<PolicySnapshot> => {
    for (const part of some) (await part.read(tx.session, pace, since))();
    return { revision: 0, ...parts.contents(), apps: noApps };
  };
  return {
    load: () => read(known?.revision === revision ? [] : parts.all, known?.revision ?? -1),
    /** After the transaction has written records of these families. */
    loadWritten: (families: readonly RecordItemFamily[]) =>
      read(
        families.map((family) => parts.records[family]),
        revision,
      ),
  };
}
