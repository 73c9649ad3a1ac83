import "server-only";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { errorNamed } from "@/lib/platform/errors";
import { type AppOutcome, saveAppItems } from "@/lib/exchange/apps";
import { type ExchangeFamily, exchangeFamilies, type StoredItem } from "@/lib/exchange/families";
import { canonical } from "@/lib/exchange/items";
import { planImport } from "@/lib/exchange/plan";
import type { ImportBody } from "@/lib/exchange/schema";
import { recordFamilies } from "@/lib/platform/db/heads";
import { findNewFaults } from "@/lib/policy/checks/promotion-check";
import { followedSnapshot } from "@/lib/policy/status";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { listFieldChanges } from "@/lib/content/releases/fields";
import type { ReleasePlan } from "@/lib/gate/publish/schema";
import { reviewItems } from "@/lib/gate/publish/review";
import { readWrittenState } from "@/lib/gate/publish/state";
import type { ItemChange, ItemFamily } from "@/lib/content/releases/vocabulary";
import { namesOf } from "@/lib/labels/members";
import { byCodeUnit } from "@/lib/labels/order";

/** What an import does to one item of staging. */
export interface ImportedItem {
  readonly family: ItemFamily;
  readonly key: string;
  readonly change: ItemChange;
  readonly fields: ReturnType<typeof listFieldChanges>;
}

export interface ImportOutcome {
  readonly items: readonly ImportedItem[];
  /** Faults that staging has afterwards and had not before. */
  readonly findings: readonly HeadUnitFinding[];
  /** Sentences about what was left as it is. */
  readonly left: readonly string[];
  /** What a publication of these items would be told (`releases.md` L6); only of a dry run. */
  readonly checks?: readonly ReleaseCheckJson[];
  /** What such a publication would take (`gate.md` W10); only of a dry run. */
  readonly plan?: ReleasePlan;
}

/** Leaves a transaction of which nothing is to stay. */
class DryRun extends Error {
  override readonly name = "DryRun";

  constructor(readonly outcome: ImportOutcome) {
    super("nothing is stored");
  }
}
const isDryRun = errorNamed<DryRun>("DryRun");

/**
 * Brings a document into staging, all or nothing (`exchange.md` X2): what differs is saved as new records, what is there
 * already stays as it is and makes no version. It publishes nothing.
 *
 * @throws AppError 400 that names the item
 */
export async function importDocument(body: ImportBody, writer: WriteContext): Promise<ImportOutcome> {
  try {
    return await inTransaction(writer, async (tx) => {
      const outcome = await stage(body, tx);
      if (body.dry_run) throw new DryRun({ ...outcome, ...(await tellPublication(outcome.items, tx)) });
      if (outcome.items.length === 0) tx.keepRevision();
      return outcome;
    });
  } catch (error) {
    if (isDryRun(error)) return error.outcome;
    throw error;
  }
}

/** What a publication of the items would be told and take, from what the transaction has staged. */
async function tellPublication(items: readonly ImportedItem[], tx: Transaction) {
  const state = await readWrittenState(tx);
  const plan = await planImport(items, state, tx);
  return { checks: items.length === 0 ? [] : (await reviewItems(state, items)).checks, plan };
}

async function stage({ document, prune }: ImportBody, tx: Transaction): Promise<ImportOutcome> {
  const items: ImportedItem[] = [];
  const about = { families: namesOf(recordFamilies), known: followedSnapshot() };
  const { findings, value: apps } = await findNewFaults(tx, "staging", about, async () => {
    for (const family of exchangeFamilies) items.push(...(await stageFamily(family, document, prune, tx)));
    return saveAppItems(tx, document.apps ?? []);
  });
  return { items: [...items, ...apps.changed.map(toItem)], findings, left: apps.left };
}

async function stageFamily(
  { family, isDeletable, mentioned, load, save }: ExchangeFamily,
  document: ImportBody["document"],
  prune: boolean,
  tx: Transaction,
): Promise<readonly ImportedItem[]> {
  const wanted = mentioned(document) ?? [];
  const current = new Map((await load({ environment: "staging" }, tx.session)).map((one) => [one.key, one]));
  const changed = wanted.filter(({ key, item }) => JSON.stringify(current.get(key)?.item) !== JSON.stringify(item));
  const known = new Set(wanted.map(({ key }) => key));
  const gone = prune && isDeletable ? [...current.values()].filter(({ key }) => !known.has(key)) : [];
  await save(
    tx,
    changed,
    gone.map(({ key }) => key),
  );
  const describe = (key: string, before: StoredItem | undefined, after: StoredItem | undefined): ImportedItem => ({
    ...{ family, key, change: before === undefined ? "add" : after === undefined ? "delete" : "change" },
    fields: listFieldChanges(asBody(before?.item), asBody(after?.item)),
  });
  return [
    ...changed.map((one) => describe(one.key, current.get(one.key), one)),
    ...gone.map((one) => describe(one.key, one, undefined)),
  ].sort((a, b) => byCodeUnit(a.key, b.key));
}

function toItem({ uuid, before, after }: AppOutcome["changed"][number]): ImportedItem {
  const fields = listFieldChanges(asBody(canonical(before)), asBody(canonical(after)));
  return { family: "app", key: uuid, change: "change", fields };
}

const asBody = (value: unknown): object | null => (typeof value === "object" ? value : null);
