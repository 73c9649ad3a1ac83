"one per process";

import { listApps } from "@/lib/policy/snapshot/app-index";
import { snapshotFamily } from "@/lib/policy/snapshot/families";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import {
  type ItemChange,
  itemFamilies,
  type ItemKey,
  itemText,
  nameChange,
  quoteItem,
  type RecordItemFamily,
  type ReviewedItem,
} from "@/lib/vocabulary/release-items";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";
import { AppError } from "@/lib/platform/errors";
import { oncePer } from "@/lib/platform/once-per";
import type { Transaction } from "@/lib/platform/db/transaction";
import { atOnePointInTime, createSnapshotLoader, readSnapshotIn } from "@/lib/policy/snapshot/load-snapshot";
import { readRevision } from "@/lib/platform/db/revision";
import { policySnapshot, whenFollowed } from "@/lib/policy/status";

export interface StagedChange extends ItemKey {
  /** The record to publish; for an app, its version. */
  readonly id: number;
  readonly productionId: number | null;
  readonly change: ItemChange;
}

interface ViewRecord {
  readonly key: string;
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
}

export function listViewRecords(
  snapshot: PolicySnapshot,
  family: RecordItemFamily,
  environment: Environment,
): ViewRecord[] {
  const source = snapshotFamily(family);
  return source.viewsOf(snapshot)[environment].map((record) => {
    const { id, status, isDeleted = false } = record;
    return { key: source.keyOf(record), id, status, isDeleted };
  });
}

/** Everything in staging that production does not have (`releases.md` L5), in the item order of releases. */
export const listStagedChanges = oncePer((snapshot: PolicySnapshot): readonly StagedChange[] =>
  itemFamilies.flatMap((family) =>
    (family === "app" ? listStagedApps(snapshot) : listStagedRecords(snapshot, family)).sort((a, b) =>
      byLowerCase(a.key, b.key),
    ),
  ),
);

function listStagedRecords(snapshot: PolicySnapshot, family: RecordItemFamily): StagedChange[] {
  const production = new Map(
    listViewRecords(snapshot, family, "production").flatMap(({ key, id, isDeleted }) => (isDeleted ? [] : [[key, id]])),
  );
  return listViewRecords(snapshot, family, "staging").flatMap(({ key, id, status, isDeleted }) => {
    if (status !== "STAGING") return [];
    const productionId = production.get(key) ?? null;
    return [{ family, key, id, productionId, change: nameChange(productionId !== null, !isDeleted) }];
  });
}

function listStagedApps({ apps }: PolicySnapshot): StagedChange[] {
  const changes: StagedChange[] = [];
  for (const app of listApps(apps)) {
    const change = findStagedApp(app);
    if (change !== null) changes.push(change);
  }
  return changes;
}

/** The version of an app that waits in staging; null: none, or the app is blocked and gets nothing. */
function findStagedApp({ uuid, isBlacklisted, staged, accepted }: SnapshotApp): StagedChange | null {
  if (isBlacklisted || staged === null || staged.id === accepted?.id) return null;
  const productionId = accepted?.id ?? null;
  return { family: "app", key: uuid, id: staged.id, productionId, change: nameChange(productionId !== null, true) };
}

/** The chosen changes; undefined: all. */
export function chooseChanges(changes: readonly StagedChange[], items: readonly ItemKey[] | undefined): StagedChange[] {
  if (items === undefined) return [...changes];
  const chosen = new Set(items.map(itemText));
  return changes.filter((change) => chosen.has(itemText(change)));
}

export function storedItems({ items }: { readonly items: Iterable<StoredItem> }): ReviewedItem[] {
  return [...items].flatMap(({ family, key, id }) => {
    const known = itemFamilies.find((name) => name === family);
    return known === undefined ? [] : [{ family: known, key, id }];
  });
}
interface StoredItem {
  readonly family: string;
  readonly key: string;
  readonly id: number;
}

export interface Choice {
  readonly changes: readonly StagedChange[];
  /** Items whose head has changed since the review; null: no version is granted any more. */
  readonly moved: readonly (ItemKey & { readonly id: number | null; readonly reviewedId: number })[];
}

/** Compares with staging (`releases.md` L8). AppError 400 if an item does not exist, 409 if nothing is to publish. */
export function chooseItems(state: PolicySnapshot, items: readonly ReviewedItem[] | "all"): Choice {
  const staged = listStagedChanges(state);
  if (items === "all") {
    if (staged.length === 0) throw new AppError("conflict", "Nothing to publish: production equals staging");
    return { changes: staged, moved: [] };
  }
  const byText = new Map(staged.map((change) => [itemText(change), change]));
  const chosen = [...new Map(items.map((item) => [`${itemText(item)} ${item.id}`, item])).values()];
  const held = chosen.map((item) => ({ item, head: findHead(state, item), change: byText.get(itemText(item)) }));
  const moved = held.flatMap(({ item: { family, key, id }, head }) =>
    head === id ? [] : [{ family, key, id: head, reviewedId: id }],
  );
  const published = held.find(({ item, head, change }) => head === item.id && change?.id !== item.id);
  if (published !== undefined && moved.length === 0) {
    const name = quoteItem(published.item);
    throw new AppError("conflict", `Nothing to publish of ${name}: production has it, or the app is blocked`);
  }
  return { changes: held.flatMap(({ item, change }) => (change?.id === item.id ? [change] : [])), moved };
}

/** The latest record of an item, or the granted version of an app; null: none is granted. */
function findHead(state: PolicySnapshot, item: ItemKey): number | null {
  const { family, key } = item;
  if (family === "app") {
    const app = state.apps.byUuid(key.toLowerCase());
    if (app === undefined) throw unknown(item);
    return app.staged?.id ?? null;
  }
  const head = listViewRecords(state, family, "staging").find((record) => record.key === key);
  if (head === undefined) throw unknown(item);
  return head.id;
}

function unknown(item: ItemKey): AppError {
  const name = quoteItem(item);
  return new AppError("invalid", `items names ${name}, which does not exist`);
}

/** Both views of everything, including this process's writes (`processes.md` N5a); mostly from memory. */
export async function loadState(): Promise<PolicySnapshot> {
  const isFollowed = await whenFollowed();
  const known = policySnapshot();
  if (known === null) return createSnapshotLoader().load();
  return isFollowed ? known : readAhead(known);
}

const ahead = oncePer((_: PolicySnapshot) => new Map<number, Promise<PolicySnapshot>>());

/** The newest state while a policy is still compiled from it; once per revision. */
async function readAhead(known: PolicySnapshot): Promise<PolicySnapshot> {
  const revision = await readRevision();
  const read = () => atOnePointInTime(async (session) => readSnapshotIn(session, await readRevision(session), known));
  const found = ahead(known).get(revision) ?? (revision === known.revision ? Promise.resolve(known) : read());
  ahead(known).set(revision, found);
  found.catch(() => ahead(known).delete(revision));
  return found;
}

/** The state before a transaction's own writes. Each change raises the revision. */
export async function readState(tx: Transaction): Promise<PolicySnapshot> {
  const known = policySnapshot();
  const revision = tx.revision - 1;
  return known?.revision === revision ? known : readSnapshotIn(tx.session, revision, known);
}

export function readWrittenState(tx: Transaction): Promise<PolicySnapshot> {
  return readSnapshotIn(tx.session, tx.revision, policySnapshot());
}
