"one per process";

import "server-only";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { saveAppItems } from "@/lib/apps/items/app-items";
import { appItem } from "@/lib/apps/items/schema";
import { inDryRun } from "@/lib/platform/db/dry-run";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { oncePer } from "@/lib/platform/once-per";
import { loadSnapshotAsOf } from "@/lib/releases/publish/as-of";
import { contentsAsOf } from "@/lib/releases/publish/return-to-release";
import { chooseItems, listViewRecords, storedItems } from "@/lib/releases/review/changes";
import { buildPublished, contentsOf, withApps } from "@/lib/releases/review/production";
import { digestOf } from "@/lib/releases/widening";
import { requireAsApproved } from "@/lib/records/publishing/second-person";
import { itemText, type RecordItemFamily, type ReviewedItem } from "@/lib/vocabulary/release-items";
import { appPriorities, hybridPreferences } from "@/lib/vocabulary/terms";
import { unset } from "@/lib/policy/checks/approval-check";
import { readAppVersion } from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import { readAppsIn } from "@/lib/policy/snapshot/load-snapshot";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { ApplicationModel } from "@/models/application";
import type { ApprovalRequestRecord } from "@/models/approval-request";

export const movedSentence = "The reviewed items have changed: request approval again";

const judged = oncePer((_: PolicySnapshot) => new Map<number, Promise<string | null>>());

/** Why nobody can approve the request any more (`people.md` P9a), by the digest that the gate compares; or null. */
export async function findVoid(
  request: ApprovalRequestRecord,
  state: PolicySnapshot,
  now: Date,
): Promise<string | null> {
  if (request.at && request.at <= now) return "The scheduled time has passed";
  const known = judged(state);
  const found = known.get(request._id) ?? compare(request, state, now);
  known.set(request._id, found);
  found.catch(() => known.delete(request._id));
  return found;
}

async function compare(request: ApprovalRequestRecord, state: PolicySnapshot, now: Date): Promise<string | null> {
  try {
    const { after, isMoved } = await foresee(request, state, now);
    if (isMoved) return movedSentence;
    // Nothing in production changes with it, so the gate finds no items.
    const items = request.flag?.name === "isAutoApprovedEnabled" ? [] : storedItems(request);
    requireAsApproved(request.digest, digestOf(state, after, items));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

interface Outlook {
  readonly after: PolicySnapshot;
  readonly isMoved: boolean;
}

async function foresee(request: ApprovalRequestRecord, state: PolicySnapshot, now: Date): Promise<Outlook> {
  const items = storedItems(request);
  if (request.kind === "publish") {
    const { changes, moved } = chooseItems(state, items);
    return { after: buildPublished(state, contentsOf(state, changes), now.getTime()), isMoved: moved.length > 0 };
  }
  if (request.kind === "return") {
    const contents = await contentsOfReturn(request, state);
    const served = new Map(
      items
        .flatMap(({ family }) => (family === "app" ? [] : listServed(state, family)))
        .map((one) => [one.text, one.id]),
    );
    const isMoved = items.some((item) => (served.get(itemText(item)) ?? 0) !== item.id);
    return { after: buildPublished(state, contents, now.getTime()), isMoved };
  }
  if (request.kind === "import") return { after: (await tryImport(request, state)).after, isMoved: false };
  return { after: { ...state, apps: withApps(state.apps, await decidedApps(request, state)) }, isMoved: false };
}

/** Makes the decisions of a requested import; AppError 409 if they change other apps or versions than was asked for. */
export async function importRequested(tx: Transaction, request: ApprovalRequestRecord) {
  const { changed, items } = await saveAppItems(tx, z.array(appItem).parse(request.apps));
  requireSameItems(request, items);
  return changed;
}

/** Throws AppError 409 unless a change is about exactly the items of the request. */
export function requireSameItems(request: ApprovalRequestRecord, items: readonly ReviewedItem[]): void {
  const textsOf = (list: readonly ReviewedItem[]) => list.map((item) => `${itemText(item)} ${item.id}`).sort();
  if (!isDeepStrictEqual(textsOf(items), textsOf(storedItems(request)))) throw new AppError("conflict", movedSentence);
}

/** What a requested import makes of apps, tried in a transaction that is rolled back. */
export function tryImport(request: ApprovalRequestRecord, state: PolicySnapshot) {
  return inDryRun({ actor: "schedule", route: "approvals", requestId: null }, async (tx) => {
    const changed = await importRequested(tx, request);
    return { changed, after: await readAppsIn(tx.session, tx.revision, state) };
  });
}

export async function contentsOfReturn(request: ApprovalRequestRecord, state: PolicySnapshot) {
  const keys = new Map<RecordItemFamily, Set<string>>();
  for (const { family, key } of storedItems(request)) {
    if (family !== "app") keys.set(family, (keys.get(family) ?? new Set()).add(key));
  }
  return contentsAsOf(state, await loadSnapshotAsOf(request.returnTo ?? 0, state), keys);
}

function listServed(state: PolicySnapshot, family: RecordItemFamily) {
  return listViewRecords(state, family, "production").flatMap(({ key, id, isDeleted }) =>
    isDeleted ? [] : [{ text: itemText({ family, key }), id }],
  );
}

export async function decidedApps(request: ApprovalRequestRecord, state: PolicySnapshot): Promise<SnapshotApp[]> {
  const apps: SnapshotApp[] = [];
  for (const { key, id } of storedItems(request)) {
    const known = state.apps.byUuid(key.toLowerCase()) ?? { ...unset, uuid: key, isAdministratorApp: false };
    apps.push(request.kind === "flag" ? withFlag(request, known) : await decide(request, known, id));
  }
  return apps;
}

function withFlag({ flag }: ApprovalRequestRecord, app: SnapshotApp): SnapshotApp {
  const value: unknown = flag?.value;
  const isOn = value === true;
  switch (flag?.name) {
    case "isAdministratorApp":
    case "allowUnknownRpcPassthrough":
      return { ...app, [flag.name]: isOn };
    case "hybridAppPreference":
      return { ...app, hybridAppPreference: hybridPreferences.find((one) => one === value) ?? null };
    case "priority":
      return { ...app, priority: appPriorities.find((one) => one === value) ?? null };
    case "encryptionRequired":
      if (app.accepted === null || app.accepted.id !== flag.id) return app;
      return { ...app, accepted: { ...app.accepted, encryptionRequired: isOn } };
    default:
      return app;
  }
}

async function decide({ decision }: ApprovalRequestRecord, app: SnapshotApp, id: number): Promise<SnapshotApp> {
  const isBlacklisted = decision?.isBlacklisted ?? app.isBlacklisted;
  const accepted = await versionAfter(app, id, decision?.approvalStatus === "ACCEPTED");
  return { ...app, isBlacklisted, accepted };
}

/** Production serves the newest accepted version. */
async function versionAfter(
  { uuid, accepted }: SnapshotApp,
  id: number,
  isAccepted: boolean,
): Promise<SnapshotApp["accepted"]> {
  const serves = accepted?.id ?? 0;
  if (isAccepted ? serves >= id : serves !== id) return accepted;
  const next = isAccepted ? { _id: id } : { uuid, approvalStatus: "ACCEPTED" as const, _id: { $lt: id } };
  const version = readAppVersion(await ApplicationModel.findOne(next).sort({ _id: -1 }).lean(), new Interner());
  return version && { ...version, approvalStatus: "ACCEPTED" };
}
