import "server-only";
import { findNewRefusals } from "@/lib/apps/applications/approval";
import type { BulkAppJson, BulkExcludedJson, BulkPreviewAnswer } from "@/lib/apps/applications/bulk/answer-schema";
import { findExclusion, foretell, targetOf } from "@/lib/apps/applications/bulk/rules";
import {
  type BulkDecision,
  type BulkPreviewBody,
  type BulkState,
  isApprovalState,
  isAutoDecision,
  maxBulkApps,
} from "@/lib/apps/applications/bulk/schema";
import { findConsoleIds } from "@/lib/apps/applications/console/console-queries";
import { approvalOf, type Standing, withStanding } from "@/lib/apps/applications/console/console-rows";
import { loadEffects, toEffectJson } from "@/lib/apps/applications/console/effects";
import { decidedState, decisionOf, environmentOf, foresee, needOfDecision } from "@/lib/apps/applications/decisions";
import { labelVersions, outlineColumns } from "@/lib/apps/applications/versions";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { runReachable, whileReachable } from "@/lib/platform/db/connection/reachable";
import { AppError } from "@/lib/platform/errors";
import { type FindRefusals, readRefusalFinder } from "@/lib/policy/checks/approval-check";
import { createPacer } from "@/lib/platform/process/pacer";
import { formatNumber } from "@/lib/vocabulary/format-number";
import { pickMembers } from "@/lib/vocabulary/members";
import { noteGarbledNames } from "@/lib/vocabulary/phones";
import { mayDo, type Role, roleFor } from "@/lib/vocabulary/roles";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";

/** Excludes what `role` may not decide (`people.md` P8). Throws AppError 400 if too many apps match the filters. */
export async function previewBulk(body: BulkPreviewBody, role: Role | null): Promise<BulkPreviewAnswer> {
  await requireDatabase();
  return whileReachable(foreseeApps(body, role));
}

const columns = { uuid: 1, name: 1, displayNames: 1, denialMessage: 1, ...outlineColumns } as const;
type Newest = Pick<ApplicationRecord, "_id" | keyof typeof columns>;

type Known = Standing<Newest>;

async function foreseeApps(
  { decision, uuids, filter }: BulkPreviewBody,
  role: Role | null,
): Promise<BulkPreviewAnswer> {
  const found = await ApplicationModel.find({ ...(await findChosen(uuids, filter)), isLatest: true }, columns).lean();
  found.sort((a, b) => byLowerCase(a.name, b.name) || a._id - b._id);
  const stored = new Set(found.map(({ uuid }) => uuid));
  const excluded: BulkExcludedJson[] = distinct(uuids ?? [])
    .filter((uuid) => !stored.has(uuid))
    .map((uuid) => ({ uuid, name: null, reason: "It is no longer stored." }));
  const findRefusals = createRefusalSearch(decision);
  const pace = createPacer();
  const apps: BulkAppJson[] = [];
  const standings = await withStanding(found);
  const effects = isAutoDecision(decision)
    ? []
    : await loadEffects(standings.map((known) => ({ ...approvalOf(known), next: decidedState(decision) })));
  for (const [at, known] of standings.entries()) {
    const { version, flags, state, situation } = known;
    const { _id: id, uuid, name, displayNames } = version;
    const seen = seenState(decision, known);
    const isAutoApproved = flags?.isAutoApprovedEnabled ?? false;
    const reason = findExclusion(decision, { state, isAutoApproved }) ?? describeLack(decision, seen, role);
    if (reason === null) {
      const labels = labelVersions(situation.versions);
      const nameOf = (one: { readonly id: number }) => labels.get(one.id) ?? "";
      const { effect, isGrave } = foretell(decision, situation, nameOf);
      const findings = await findRefusals(known);
      const notes = noteGarbledNames([name, ...displayNames]);
      const change = effects[at];
      const rights = change ? toEffectJson(change) : null;
      // Automatic approval is for production.
      const environment = isAutoDecision(decision) ? "production" : environmentOf(situation, decidedState(decision));
      const told = { effect, environment, rights, is_grave: isGrave, findings, notes };
      apps.push({ id, uuid, name, version: nameOf({ id }), state, ...told, seen });
    } else excluded.push({ uuid, name, reason });
    await pace();
  }
  return { apps, excluded };
}

async function findChosen(uuids: BulkPreviewBody["uuids"], filter: BulkPreviewBody["filter"]) {
  if (filter === undefined) return { uuid: { $in: uuids ?? [] } };
  const ids = await findConsoleIds(filter);
  if (ids.length <= maxBulkApps) return { _id: { $in: ids } };
  const sentence = `At most ${maxBulkApps} apps can be decided about in one go; these are ${formatNumber(ids.length)}`;
  throw new AppError("invalid", sentence);
}

function seenState(decision: BulkDecision, { version, flags }: Known): BulkState {
  return isAutoDecision(decision)
    ? { is_auto_approved_enabled: flags?.isAutoApprovedEnabled ?? false }
    : decisionOf(version.approvalStatus, flags?.isBlacklisted, version.denialMessage);
}

function describeLack(decision: BulkDecision, seen: BulkState, role: Role | null): string | null {
  const target = targetOf(decision, "");
  const need = isApprovalState(seen) && isApprovalState(target) ? needOfDecision(seen, target) : "publish";
  return mayDo(role, need) ? null : `This decision needs the role ${roleFor[need]}.`;
}

/** Loads the data for entries once, and only if needed. */
function createRefusalSearch(decision: BulkDecision) {
  let finder: Promise<FindRefusals> | undefined;
  const prepare = () =>
    (finder ??= runReachable((session) => readRefusalFinder({ session }), { readConcern: { level: "snapshot" } }));
  const load = (id: number) => ApplicationModel.findOne({ _id: id }).lean();
  return async ({ version: { uuid }, flags, situation }: Known) => {
    if (isAutoDecision(decision)) return [];
    const outlook = foresee(situation, decidedState(decision));
    const isAdministratorApp = flags?.isAdministratorApp ?? false;
    const findings = await findNewRefusals({ uuid, isAdministratorApp }, outlook, { prepare, load });
    return findings.map((finding) => pickMembers(finding, ["environment", "path", "message"]));
  };
}
