"one per process";

import "server-only";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import { compileAside } from "@/lib/policy/compile-aside";
import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import { findServices } from "@/lib/policy/services";
import { createPacer } from "@/lib/platform/process/pacer";
import type {
  AppsEffect,
  ChangedAppsAnswer,
  ChangesAnswer,
  ReleaseCheckJson,
  ReleaseEffectAppJson,
  ReleaseEffectJson,
} from "@/lib/releases/answer-schema";
import type { ReviewCase } from "@/lib/releases/checks/review-case";
import { checkPermits } from "@/lib/releases/checks/findings";
import { warnOfLosses } from "@/lib/releases/checks/losses";
import { latestPerState } from "@/lib/releases/latest";
import { runChecks } from "@/lib/releases/checks/run-checks";
import { type AppComparison, compareApps, isDefaultChanged } from "@/lib/releases/review/app-comparison";
import { compareTableRisks, type TableRisk, type TableRisks, findTableRisks } from "@/lib/releases/review/risks";
import { chooseChanges, listStagedChanges, type StagedChange } from "@/lib/releases/review/changes";
import { buildPublished, contentsOf, itemsOf, type NewContents } from "@/lib/releases/review/production";
import { type ItemKey, itemText } from "@/lib/vocabulary/release-items";
import { loadSettings } from "@/lib/platform/settings";
import { type CompiledPolicy, NoModuleConfigError } from "@/lib/policy/table/compiled-policy";
import { chosenBuilds, chosenCars } from "@/lib/vocabulary/head-units";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { type AreaChange, describeArea } from "@/lib/policy/effect/rights-by-area";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import { type RiskKind, riskKinds } from "@/lib/vocabulary/risk";
import { AppError } from "@/lib/platform/errors";

export interface Review extends ReviewCase {
  readonly apps: AppComparison;
  /** All checks except warnings about what apps lose, which `describeReview` adds: they refuse nothing. */
  readonly checks: readonly ReleaseCheckJson[];
  /** The effect on the apps that change, computed once, for readers: a publication does not wait for it. */
  readonly risks: () => Promise<TableRisks>;
}

export async function reviewContents(before: PolicySnapshot, contents: NewContents, now: Date): Promise<Review> {
  const after = buildPublished(before, contents, now.getTime());
  const chosen = new Set(itemsOf(contents).map(itemText));
  const waiting = listStagedChanges(before).filter((change) => !chosen.has(itemText(change)));
  const review = { before, after, contents, waiting, now: now.getTime() };
  const apps = await compareApps(before, after, createPacer());
  const settings = loadSettings();
  const cars = chosenCars(settings);
  const surprises = await checkPermits(review, cars, createPacer());
  const checks = runChecks(review, apps.findings, surprises, settings);
  const search = { apps: apps.changed, builds: cars.builds };
  let found: Promise<TableRisks> | undefined;
  return { ...review, apps, checks, risks: () => (found ??= findTableRisks(before, after, search, createPacer())) };
}

export async function describeReview(review: Review): Promise<Pick<ChangesAnswer, "checks" | "effect">> {
  const effect = await describeReleaseEffect({ ...review, risks: await review.risks() });
  return { checks: await listChecks(review), effect };
}

async function listChecks(review: Review): Promise<ReleaseCheckJson[]> {
  return [...review.checks, ...warnOfLosses(review, await review.risks(), chosenBuilds(loadSettings()))];
}

const latestReview = latestPerState<ChosenReview>();

export interface ChosenReview extends Review {
  readonly changes: readonly StagedChange[];
}

/** Reviews staged items (undefined: all) as if they were published; keeps the latest review of a state. */
export function reviewItems(state: PolicySnapshot, items: readonly ItemKey[] | undefined): Promise<ChosenReview> {
  const changes = chooseChanges(listStagedChanges(state), items);
  const key = changes.map(({ family, id }) => `${family}:${id}`).join(" ");
  return latestReview(state, key, async () => ({
    ...(await reviewContents(state, contentsOf(state, changes), new Date())),
    changes,
  }));
}

const appsAtOnce = 100;
/** Any request id: all have the same length. */
const requestId = "00000000-0000-4000-8000-000000000000";

/** Size of the full response to a vehicle without apps, in bytes. Without a table (null) it is 0. */
function sizeOfAnswer(policy: CompiledPolicy | null): { readonly plain: number; readonly gzip: number } {
  if (policy === null) return { plain: 0, gzip: 0 };
  const parts = buildAnswer(policy, { apps: [], fullAppIdSupported: true, isOlder: false }, requestId);
  return { plain: joinPlain(parts).length, gzip: joinGzip(parts).length };
}

const latestSize = latestPerState<ReturnType<typeof sizeOfAnswer>>();

/** Size of the production table for a vehicle without apps, plain and gzipped; compiled once per state. */
const sizeOfProduction = (state: PolicySnapshot) =>
  latestSize(state, "production", async () => sizeOfAnswer(await compileProduction(state)));

async function compileProduction(snapshot: PolicySnapshot): Promise<CompiledPolicy | null> {
  const served = findServices()?.runtime.policy("production");
  if (served?.snapshot === snapshot) return served;
  try {
    return await compileAside(snapshot, "production");
  } catch (error) {
    if (error instanceof NoModuleConfigError) return null;
    throw error;
  }
}

export async function describeReleaseEffect({
  before,
  after,
  risks,
}: Pick<Review, "before" | "after"> & { readonly risks: TableRisks }): Promise<ReleaseEffectJson> {
  const [was, is] = [await sizeOfProduction(before), await sizeOfProduction(after)];
  return {
    ...(await describeTableRisks(risks, { before, after })),
    bytes: {
      plain: { before: was.plain, after: is.plain },
      gzip: { before: was.gzip, after: is.gzip },
    },
  };
}

export async function describeTableRisks(
  risks: TableRisks,
  { before, after }: Pick<Review, "before" | "after">,
): Promise<AppsEffect> {
  const all = [...risks.values()];
  const count = (has: (risk: TableRisk) => boolean) => all.filter(has).length;
  const counts = (kind: AreaChange["kind"], area?: RiskKind) =>
    count(({ areas }) => areas.some((one) => one.kind === kind && (area === undefined || one.area === area)));
  return {
    apps_changed: risks.size,
    apps_new: [...risks.keys()].filter(({ uuid }) => !before.apps.byUuid(uuid.toLowerCase())?.accepted).length,
    default_changed: isDefaultChanged(before, after),
    apps_losing: counts("lost"),
    apps_gaining: counts("gained"),
    apps_asked: count(({ asked }) => asked.length > 0),
    areas: riskKinds.map((area) => ({ area, gained: counts("gained", area), lost: counts("lost", area) })),
    apps: await describeApps(risks, 0),
  };
}

/** Worst first, 100 at a time, after the first `from`. */
export async function listChangedApps(risks: TableRisks, from: number): Promise<ChangedAppsAnswer> {
  return { apps_changed: risks.size, apps: await describeApps(risks, from) };
}

async function describeApps(risks: TableRisks, from: number): Promise<ReleaseEffectAppJson[]> {
  const some = [...risks]
    .map(([app, risk]) => ({ app, risk, name: nameOfApp(app) }))
    .sort((a, b) => compareTableRisks(a.risk, b.risk) || byLowerCase(a.name, b.name))
    .slice(from, from + appsAtOnce);
  const names = await loadAppNames(some.map(({ app }) => app.uuid));
  return some.map(({ app: { uuid }, risk: { loss, areas, rejected, asked }, name }) => ({
    ...{ uuid, name: names.get(uuid) ?? name, loss },
    areas: areas.map((one) => ({ area: one.area, kind: one.kind, what: describeArea(one) })),
    rejected: [...rejected],
    prompts: distinct(asked.map(({ prompt }) => prompt)),
  }));
}

export interface Insistence {
  readonly force: boolean;
  readonly reason: string | null;
}

export function findingText({ rule, family, key, message }: ReleaseCheckJson): string {
  return JSON.stringify([rule, family, key, message]);
}

/** Throws AppError 409 for a finding that is not among the known texts, because nobody has agreed to it. */
export function requireNoNewFindings(checks: readonly ReleaseCheckJson[], known: readonly string[]): void {
  const [first] = checks.filter((check) => check.level === "finding" && !known.includes(findingText(check)));
  if (first !== undefined) throw new AppError("conflict", `There is a new finding: ${first.message}`);
}

/** Throws AppError 409 for what must not be published; returns the findings that `force` overrides. */
export async function requirePublishable(
  review: Review,
  { force, reason }: Insistence,
): Promise<readonly ReleaseCheckJson[]> {
  const { checks } = review;
  const refuse = async (sentence: string) =>
    new AppError("conflict", sentence, { data: { checks: await listChecks(review) } });
  const [blocked] = checks.filter(({ level }) => level === "block");
  if (blocked !== undefined) throw await refuse(blocked.message);
  const findings = checks.filter(({ level }) => level === "finding");
  if (findings.length === 0 || (force && reason !== null)) return findings;
  const sentence = force
    ? "Head units would report problems with this policy table. To publish it anyway, reason must say why"
    : "Head units would report problems with this policy table. To publish it anyway, send force: true and a reason";
  throw await refuse(sentence);
}
