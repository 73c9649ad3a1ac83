import "server-only";
import type { Principal } from "@/lib/platform/auth/principal";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import type { ApprovalAnswer, ChangedItemJson, ChangesAnswer } from "@/lib/releases/answer-schema";
import { listFieldChanges } from "@/lib/releases/fields";
import { summarizeChange } from "@/lib/releases/summary";
import { contentsOfReturn, decidedApps, findVoid, tryImport } from "@/lib/releases/approvals/outlook";
import { toApprovalJson } from "@/lib/releases/approvals/queries";
import { loadBodies } from "@/lib/releases/items/bodies";
import { diffStates } from "@/lib/releases/items/diff";
import { loadTitles } from "@/lib/releases/items/titles";
import { findKeptApps } from "@/lib/releases/publish/kept-apps";
import { findChanges } from "@/lib/releases/publish/queries";
import { describeReleaseEffect, reviewContents, describeReview } from "@/lib/releases/publish/review";
import { changedApps } from "@/lib/releases/review/app-comparison";
import { findTableRisks } from "@/lib/releases/review/risks";
import { loadState, storedItems } from "@/lib/releases/review/changes";
import { withApps } from "@/lib/releases/review/production";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import { snakeName } from "@/lib/vocabulary/members";
import { plural } from "@/lib/vocabulary/format-number";
import { type ItemKey, itemText, nameChange } from "@/lib/vocabulary/release-items";
import { createPacer } from "@/lib/platform/process/pacer";
import { loadSettings } from "@/lib/platform/settings";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { ApplicationModel } from "@/models/application";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApprovalRequestModel, type ApprovalRequestRecord } from "@/models/approval-request";

/** Describes what approving a request would do now (`people.md` P9a); AppError 404 for an unknown one. */
export async function reviewRequest(id: number, reader: Principal | null): Promise<ApprovalAnswer> {
  await requireDatabase();
  const request = await ApprovalRequestModel.findById(id).lean();
  if (request === null) throw new AppError("notFound", `Nothing waits for approval as ${id}`);
  const state = await loadState();
  const titleOf = await loadTitles(storedItems(request));
  const approval = toApprovalJson(request, titleOf, {
    reader,
    voidBecause: await findVoid(request, state, new Date()),
  });
  return { approval, ...(await review(request, state, titleOf)) };
}

function review(
  request: ApprovalRequestRecord,
  state: PolicySnapshot,
  titleOf: (item: ItemKey) => string,
): Promise<Omit<ApprovalAnswer, "approval">> {
  if (request.kind === "publish") return findChanges(storedItems(request));
  if (request.kind === "return") return reviewReturn(request, state, titleOf);
  return (request.kind === "import" ? reviewImport : reviewApp)(request, state, titleOf);
}

async function reviewReturn(
  request: ApprovalRequestRecord,
  state: PolicySnapshot,
  titleOf: (item: ItemKey) => string,
): Promise<Omit<ApprovalAnswer, "approval">> {
  const number = request.returnTo ?? 0;
  const ids = new Map(storedItems(request).map((item) => [itemText(item), item.id]));
  const contents = await contentsOfReturn(request, state);
  const reviewed = await reviewContents(state, contents, new Date());
  const items = (await diffStates("production", number)).flatMap(({ family, key, change, fields }) => {
    const id = ids.get(itemText({ family, key }));
    if (id === undefined) return [];
    const item = { family, key, id, production_id: id, title: titleOf({ family, key }) };
    const summary = `${plural(fields.length, "field")} as in release #${number}`;
    return { ...item, change, summary, ...madeOf(request), fields, table_fields: [] };
  });
  return { items, ...(await describeReview(reviewed)), apps_kept: await findKeptApps(number, state) };
}

const madeOf = ({ askedAt }: ApprovalRequestRecord) => ({ author: null, at: askedAt.toISOString() });

async function reviewApp(
  request: ApprovalRequestRecord,
  state: PolicySnapshot,
  titleOf: (item: ItemKey) => string,
): Promise<ChangesAnswer> {
  const items: ChangedItemJson[] = [];
  for (const item of storedItems(request)) {
    const known = state.apps.byUuid(item.key.toLowerCase());
    const productionId = known?.accepted?.id ?? null;
    // Other decisions, such as to unblock, leave production the version that it has.
    const isServed = request.kind === "flag" || request.decision?.approvalStatus === "ACCEPTED";
    const nextId = isServed ? item.id : (productionId ?? item.id);
    const bodies = await loadBodies("app", productionId === null ? [nextId] : [nextId, productionId]);
    const [before, after] = [bodies.get(productionId ?? 0)?.body ?? null, bodies.get(nextId)?.body ?? null];
    const flag = await compareFlag(request, item);
    items.push({
      ...{ ...item, ...madeOf(request), title: titleOf(item), ...appChange(productionId) },
      summary: flag === null ? summarizeChange("app", before, after) : "setting",
      fields: flag === null ? listFieldChanges(before, after) : [flag],
    });
  }
  // Vehicles notice nothing of automatic approval before a later version arrives.
  const apps = request.flag?.name === "isAutoApprovedEnabled" ? [] : await decidedApps(request, state);
  return { items, ...(await reviewEffect(state, { ...state, apps: withApps(state.apps, apps) }, apps)) };
}

const appChange = (productionId: number | null) => ({
  production_id: productionId,
  change: nameChange(productionId !== null, true),
  table_fields: [],
});

async function reviewEffect(state: PolicySnapshot, after: PolicySnapshot, apps: readonly SnapshotApp[]) {
  const builds = chosenBuilds(loadSettings());
  const risks = await findTableRisks(state, after, { apps, builds }, createPacer());
  // The response to a vehicle without apps stays the same.
  return { checks: [], effect: await describeReleaseEffect({ before: state, after: state, risks }) };
}

async function reviewImport(
  request: ApprovalRequestRecord,
  state: PolicySnapshot,
  titleOf: (item: ItemKey) => string,
): Promise<ChangesAnswer> {
  const { changed, after } = await tryImport(request, state).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return { changed: [], after: state };
  });
  const items = storedItems(request).map((item) => {
    const made = changed.find(({ uuid }) => uuid === item.key);
    const productionId = state.apps.byUuid(item.key.toLowerCase())?.accepted?.id ?? null;
    return {
      ...{ ...item, ...madeOf(request), title: titleOf(item), ...appChange(productionId) },
      summary: "decisions from a file",
      fields: listFieldChanges(made?.before ?? null, made?.after ?? null),
    };
  });
  const apps = changedApps(state, after).flatMap(({ key }) => after.apps.byUuid(key.toLowerCase()) ?? []);
  return { items, ...(await reviewEffect(state, after, apps)) };
}

async function compareFlag({ flag }: ApprovalRequestRecord, item: ItemKey & { readonly id: number }) {
  if (!flag) return null;
  const { name } = flag;
  const after: unknown = flag.value;
  const stored =
    name === "encryptionRequired"
      ? await ApplicationModel.findById(item.id, { [name]: 1 }).lean()
      : await ApplicationFlagsModel.findOne({ uuidKey: item.key.toLowerCase() }, { [name]: 1 }).lean();
  const before: unknown = stored === null ? null : new Map<string, unknown>(Object.entries(stored)).get(name);
  return { path: snakeName(name), before: before ?? null, after };
}
