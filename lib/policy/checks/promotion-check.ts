import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { buildFixedEntries } from "@/lib/policy/table/app-policies";
import { promptlessGroups } from "@/lib/policy/table/functional-groupings";
import type { HeadUnitFinding, HeadUnitSeverity } from "@/lib/policy/head-unit/finding";
import { createSharedParts, type SharedPart } from "@/lib/policy/snapshot/shared-parts";
import { buildSharedSections, readShared } from "@/lib/policy/table/shared-sections";
import { createPacer } from "@/lib/platform/process/pacer";
import type { AppCatalogue, PolicySnapshot } from "@/lib/policy/table/snapshot";
import { checkTable, isBlocking } from "@/lib/policy/checks/table-faults";
import { findStranding } from "@/lib/policy/table/stranding";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { Environment } from "@/lib/vocabulary/terms";
import { loadSettings } from "@/lib/platform/settings";

export interface Comparison {
  /** Families whose records are written; nothing else of these sections may change. */
  readonly families: readonly RecordItemFamily[];
  /** The snapshot in memory, if this process follows the database. */
  readonly known: PolicySnapshot | null;
}

/**
 * Refuses new blocking findings of the production table unless `force`: existing ones must not prevent the repair of
 * others. Throws AppError 409 with `data.findings`; it must abort the transaction, so that nothing is stored.
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
 * Returns the result of `write` and the blocking findings that it introduces in shared sections and fixed entries.
 * Throws AppError 400 with `data.findings` for what must not be saved in staging (rule G12).
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

/** Nobody may save a value after which vehicles would never update again. */
function requireNoStranding(findings: readonly HeadUnitFinding[]): void {
  const stranding = findings.filter(({ severity }) => severity === "stranded");
  const [first] = stranding;
  if (first) throw new AppError("invalid", `${first.path}: ${first.message}`, { data: { findings: stranding } });
}

/** The findings that are not in `known`, or are worse. Ignores positions in lists, which may have shifted. */
export function subtractFindings(
  findings: readonly HeadUnitFinding[],
  known: readonly HeadUnitFinding[],
): HeadUnitFinding[] {
  const left = new Map<string, number[]>();
  for (const finding of known) {
    const identity = identityOf(finding);
    // Use up the smallest sufficient one first.
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

/** By how much a limit is exceeded: with 300 groups one can be removed, but none added. */
function extentOf({ message }: HeadUnitFinding): number {
  return Number(/\bnot (\d+)\.?$/.exec(message)?.[1] ?? 0);
}

function findFaults(snapshot: PolicySnapshot, environment: Environment): HeadUnitFinding[] {
  return findTableFindings(snapshot, environment).filter(isBlocking);
}

/** All findings in the sections that all vehicles share and in the fixed app entries. */
export function findTableFindings(snapshot: PolicySnapshot, environment: Environment): readonly HeadUnitFinding[] {
  const found = checkTable(buildTable(snapshot, environment), {
    promptless: promptlessGroups(snapshot, environment),
  });
  // Tables built by this server never contain them.
  return [...found, ...findStranding(snapshot, environment)];
}

function buildTable(snapshot: PolicySnapshot, environment: Environment): unknown {
  const [config] = snapshot.moduleConfigs[environment];
  const settings = loadSettings();
  // Head units limit the length; the plain form is the longer one.
  const isSent = settings.certificateGeneration.enabled && config?.certificate && config.privateKey;
  const certificate = isSent ? `${config.certificate}\n${config.privateKey}` : null;
  const options = {
    publicBaseUrl: settings.publicBaseUrl,
    certificates: { staging: certificate, production: certificate },
  };
  const { short } = buildSharedSections(snapshot, environment, options, () => undefined);
  return readShared(short, buildFixedEntries(snapshot, environment));
}

const noApps: AppCatalogue = { byUuid: () => undefined, byShortId: () => [], size: 0 };

/** Data in memory that is not newer is not read again: records are append-only, every change raises the revision. */
function createReader(tx: Transaction, followed: PolicySnapshot | null) {
  const revision = tx.revision - 1;
  const known = followed !== null && followed.revision <= revision ? followed : null;
  const parts = createSharedParts(() => undefined, known);
  const pace = createPacer();
  const read = async (some: readonly SharedPart[], since: number): Promise<PolicySnapshot> => {
    for (const part of some) (await part.read(tx.session, pace, since))();
    return { revision: 0, ...parts.contents(), apps: noApps };
  };
  return {
    load: () => read(known?.revision === revision ? [] : parts.all, known?.revision ?? -1),
    loadWritten: (families: readonly RecordItemFamily[]) =>
      read(
        families.map((family) => parts.records[family]),
        revision,
      ),
  };
}
