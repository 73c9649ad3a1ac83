import "server-only";
import { createHash } from "node:crypto";
import { inDryRun } from "@/lib/platform/db/dry-run";
import { AppError } from "@/lib/platform/errors";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { type AppOutcome, saveAppItems } from "@/lib/apps/items/app-items";
import type { AppItem } from "@/lib/apps/items/schema";
import { type FileItem, listMentioned, loadItems, saveItems } from "@/lib/exchange/families";
import { canonical } from "@/lib/records/store/file-form";
import { planImport } from "@/lib/exchange/plan";
import type { ImportBody } from "@/lib/exchange/schema";
import { findNewFaults } from "@/lib/policy/checks/promotion-check";
import { followedSnapshot } from "@/lib/policy/status";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { recordItems } from "@/lib/records/families";
import { listFieldChanges } from "@/lib/releases/fields";
import { requestForImport } from "@/lib/releases/approvals/request-approval";
import { reviewItems } from "@/lib/releases/publish/review";
import { findWider } from "@/lib/releases/widening";
import { planOf } from "@/lib/records/publishing/second-person";
import { readAppsIn } from "@/lib/policy/snapshot/load-snapshot";
import { loadSettings } from "@/lib/platform/settings";
import { readState, readWrittenState } from "@/lib/releases/review/changes";
import { itemText, nameItem, type RecordItemFamily, titleOf } from "@/lib/vocabulary/release-items";
import { listSome } from "@/lib/vocabulary/format-number";
import { namesOf } from "@/lib/vocabulary/members";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import type { ImportAnswer } from "@/lib/exchange/answer-schema";

type ImportedItem = ImportAnswer["items"][number];

/**
 * `exchange.md` X2: all or nothing, into staging. Equal content creates no new version. Throws AppError 400 that names
 * the item, 409 with `data.moved` for items that differ from `planned`.
 */
export async function importDocument(body: ImportBody, writer: WriteContext) {
  const outcome = await (body.dry_run ? tryImport(body, writer) : importOrAsk(body, writer));
  const names = await loadAppNames(outcome.items.flatMap(({ family, key }) => (family === "app" ? key : [])));
  return { ...outcome, items: outcome.items.map((item) => ({ ...item, title: names.get(item.key) ?? titleOf(item) })) };
}

const tryImport = (body: ImportBody, writer: WriteContext) =>
  inDryRun(writer, async (tx) => {
    const outcome = await stage(body, tx);
    return { ...outcome, ...(await tellPublication(outcome.items, tx)) };
  });

const runImport = (body: ImportBody, writer: WriteContext) =>
  inTransaction(writer, async (tx) => {
    const outcome = await stage(body, tx);
    if (body.planned !== undefined) requireAsPlanned(outcome.items, body.planned);
    if (outcome.items.length === 0) tx.keepRevision();
    return outcome;
  });

/** What gives apps more in production becomes a request for approval (`people.md` P9); the rest is imported. */
async function importOrAsk(body: ImportBody, writer: WriteContext) {
  try {
    return await runImport(body, { ...writer, canAsk: true });
  } catch (error) {
    if (planOf(error) === null) throw error;
  }
  const { apps = [], ...others } = body.document;
  const waiting = await findWaiting(apps, writer);
  const keys = new Set(waiting.map((uuid) => uuid.toLowerCase()));
  const isWaiting = ({ uuid }: Pick<AppItem, "uuid">) => keys.has(uuid.toLowerCase());
  const approval = await requestForImport(writer, apps.filter(isWaiting));
  const planned = body.planned?.filter(({ family, key: uuid }) => family !== "app" || !isWaiting({ uuid }));
  const document = { ...others, apps: apps.filter((app) => !isWaiting(app)) };
  const outcome = await runImport({ ...body, document, ...(planned && { planned }) }, writer);
  if (approval === null) return outcome;
  const { id, path } = approval;
  const names = await loadAppNames(waiting);
  const left = waiting.map(
    (uuid) => `${names.get(uuid) ?? `app ${uuid}`} waits for approval by another person: ${path}`,
  );
  return { ...outcome, approval: { id, path }, left: [...outcome.left, ...left] };
}

/** By uuid: apps that may do more in production after an import. */
function findWaiting(apps: readonly AppItem[], writer: WriteContext): Promise<readonly string[]> {
  return inDryRun(writer, async (tx) => {
    const before = await readState(tx);
    const { changed } = await saveAppItems(tx, apps);
    const after = await readAppsIn(tx.session, tx.revision, before);
    const [uuids, builds] = [changed.map(({ uuid }) => uuid), chosenBuilds(loadSettings())];
    const automatic = changed.filter(
      (app) => app.after.is_auto_approved_enabled && !app.before.is_auto_approved_enabled,
    );
    return distinct([...findWider(before, after, { uuids, builds }), ...automatic.map(({ uuid }) => uuid)]);
  });
}

const maxNamed = 10;

/** Refuses an import that would do something else than its plan says (`exchange.md` X2b). */
function requireAsPlanned(items: readonly ImportedItem[], planned: NonNullable<ImportBody["planned"]>): void {
  const digests = new Map(planned.map((item) => [itemText(item), item.digest]));
  const found = new Set(items.map(itemText));
  const moved = [
    ...items.filter((item) => digests.get(itemText(item)) !== item.digest),
    ...planned.filter((item) => !found.has(itemText(item))),
  ].map(({ family, key }) => ({ family, key }));
  if (moved.length === 0) return;
  const names = listSome(moved.map(nameItem), maxNamed);
  throw new AppError("conflict", `Nothing was imported: staging or the file differs from the plan in ${names}`, {
    data: { moved },
  });
}

/** Based on what the transaction has staged. */
async function tellPublication(items: readonly ImportedItem[], tx: Transaction) {
  const state = await readWrittenState(tx);
  const plan = await planImport(items, state, tx);
  return { checks: items.length === 0 ? [] : (await reviewItems(state, items)).checks, plan };
}

async function stage({ document, prune }: ImportBody, tx: Transaction) {
  const items: ImportedItem[] = [];
  const about = { families: namesOf(recordItems), known: followedSnapshot() };
  const { findings, value: apps } = await findNewFaults(tx, "staging", about, async () => {
    for (const family of namesOf(recordItems)) items.push(...(await stageFamily(family, document, prune, tx)));
    return saveAppItems(tx, document.apps ?? []);
  });
  return { items: [...items, ...apps.changed.map(toItem)], findings, left: apps.left };
}

async function stageFamily(
  family: RecordItemFamily,
  document: ImportBody["document"],
  prune: boolean,
  tx: Transaction,
): Promise<readonly ImportedItem[]> {
  const wanted = listMentioned(family, document);
  const stored = await loadItems(family, { environment: "staging" }, tx.session);
  const current = new Map(stored.map((one) => [one.key, one]));
  const changed = wanted.filter(({ key, item }) => JSON.stringify(current.get(key)?.item) !== JSON.stringify(item));
  const known = new Set(wanted.map(({ key }) => key));
  const gone = prune && !recordItems[family].isPermanent ? stored.filter(({ key }) => !known.has(key)) : [];
  await saveItems(
    tx,
    family,
    changed,
    gone.map(({ key }) => key),
  );
  const describe = (key: string, before: FileItem | undefined, after: FileItem | undefined): ImportedItem => ({
    ...{ family, key, change: before === undefined ? "add" : after === undefined ? "delete" : "change" },
    ...compare(before?.item, after?.item),
  });
  return [
    ...changed.map((one) => describe(one.key, current.get(one.key), one)),
    ...gone.map((one) => describe(one.key, one, undefined)),
  ].sort((a, b) => byCodeUnit(a.key, b.key));
}

function toItem({ uuid, before, after }: AppOutcome["changed"][number]): ImportedItem {
  return { family: "app", key: uuid, change: "change", ...compare(canonical(before), canonical(after)) };
}

const compare = (before: unknown, after: unknown) => ({
  digest: createHash("sha256")
    .update(JSON.stringify([before, after]))
    .digest("hex"),
  fields: listFieldChanges(asBody(before), asBody(after)),
});

const asBody = (value: unknown): object | null => (typeof value === "object" ? value : null);
