import "server-only";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { findHeadsAsOf } from "@/lib/platform/db/heads";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { type ExchangeDocument, type ExportQuery, exchangeFormat } from "@/lib/exchange/schema";
import { saveInTransaction } from "@/lib/records/store/commands";
import { recordItems } from "@/lib/records/families";
import { fileForm, fileForms } from "@/lib/records/file-forms";
import { loadNewest } from "@/lib/records/store/queries";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import { distinct, findRepeated, byCodeUnit } from "@/lib/vocabulary/order";
import { loadAppItems } from "@/lib/apps/items/app-items";
import { canonical } from "@/lib/records/store/file-form";
import { atOnePointInTime } from "@/lib/policy/snapshot/load-snapshot";
import { requireRelease } from "@/lib/releases/queries";
import { namesOf } from "@/lib/vocabulary/members";

export interface FileItem {
  readonly key: string;
  /** In canonical form. */
  readonly item: unknown;
  /** For the route of its family. */
  readonly body: object;
  /** Where the item is in a document, e.g. `document.groups[3]`. */
  readonly place?: string;
}

/** Empty if the document does not mention the family. Throws AppError 400 for a duplicate. */
export function listMentioned(family: RecordItemFamily, document: ExchangeDocument): readonly FileItem[] {
  const { member, schema, isSingle = false, ...form } = fileForm(family);
  const members: Readonly<Record<string, unknown>> = document;
  const mentioned = members[member];
  if (mentioned === undefined) return [];
  const items = z
    .array(schema)
    .parse(isSingle ? [mentioned] : mentioned)
    .map((item, at) => {
      const body = form.bodyOf(item);
      const place = `document.${member}${isSingle ? "" : `[${at}]`}`;
      return { key: form.keyOf(item), item: form.itemOf(body), body, place };
    });
  const twice = findRepeated(items.map(({ key }) => key));
  const second = items.findLast(({ key }) => key === twice);
  if (second) throw new AppError("invalid", `${family} ${second.key} is in the document twice (${second.place})`);
  return items;
}

export async function loadItems(
  family: RecordItemFamily,
  view: ExportQuery,
  session?: ClientSession,
): Promise<readonly FileItem[]> {
  const records = recordItems[family];
  return (await loadRecords(family, view, session)).flatMap((record) => {
    const body = record.isDeleted === true ? null : records.toBody(record);
    return body === null ? [] : [{ key: records.keyOf(record), item: fileForm(family).itemOf(body), body }];
  });
}

async function loadRecords(
  family: RecordItemFamily,
  { environment = "production", release }: ExportQuery,
  session?: ClientSession,
) {
  const records = recordItems[family];
  if (release === undefined) return loadNewest(records, environment, { session });
  const heads = await findHeadsAsOf(records, release, { session });
  return records.load(
    heads.map(({ id }) => id),
    session,
  );
}

/** Throws AppError 400 that names the item. */
export async function saveItems(
  tx: Transaction,
  family: RecordItemFamily,
  items: readonly FileItem[],
  deleted: readonly string[],
): Promise<void> {
  const records = recordItems[family];
  const contents: object[] = [];
  for (const { key, body, place } of items) {
    contents.push(await naming(`${family} ${key}`, place, () => records.contentOf(body, tx)));
  }
  const gone = await loadNewest(records, "staging", { keys: distinct(deleted), session: tx.session });
  contents.push(...gone.map((record) => ({ ...record, isDeleted: true })));
  if (contents.length === 0) return;
  await saveInTransaction(
    records,
    contents.map((content) => ({ content, baseId: null })),
    tx,
  );
}

async function naming<T>(what: string, place: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = error instanceof z.ZodError ? error.issues[0] : error instanceof AppError ? error : undefined;
    if (problem === undefined) throw error;
    const where = place === undefined ? "" : ` (${place})`;
    throw new AppError("invalid", `${what.trim()}: ${problem.message}${where}`);
  }
}

/** `exchange.md` X1: equal content, equal bytes, no certificates or keys. Throws AppError 404 for unknown releases. */
export async function exportDocument(view: ExportQuery): Promise<object> {
  if (view.release !== undefined) await requireRelease(view.release);
  return atOnePointInTime(async (session) => {
    const document: Record<string, unknown> = { format: exchangeFormat };
    for (const family of namesOf(fileForms)) {
      const items = (await loadItems(family, view, session)).toSorted((a, b) => byCodeUnit(a.key, b.key));
      const { member, isSingle = false } = fileForm(family);
      if (!isSingle) document[member] = items.map(({ item }) => item);
      else if (items.length > 0) document[member] = items[0]?.item;
    }
    document.apps = canonical(await loadAppItems(session));
    return Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => byCodeUnit(a, b)));
  });
}
