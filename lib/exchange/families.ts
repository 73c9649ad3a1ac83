import "server-only";
import type { z } from "zod";
import { findHeadsAsOf } from "@/lib/platform/db/heads";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import {
  groupBodyOf,
  groupItemOf,
  messageBodyOf,
  messageItemOf,
  moduleConfigBodyOf,
  moduleConfigItemOf,
  vehicleDataBodyOf,
  vehicleDataItemOf,
} from "@/lib/exchange/items";
import type { ExchangeDocument, ExportQuery, VehicleDataItem } from "@/lib/exchange/schema";
import { groupFamily } from "@/lib/content/groups/commands";
import { saveGroupBody } from "@/lib/content/groups/schema";
import { toGroupContent } from "@/lib/content/groups/wire";
import { messageFamily } from "@/lib/content/messages/commands";
import { saveMessagesBody } from "@/lib/content/messages/schema";
import { toMessageContent } from "@/lib/content/messages/wire";
import { moduleConfigFamily } from "@/lib/content/module-config/commands";
import { findModuleConfig } from "@/lib/content/module-config/queries";
import { buildModuleConfigContent, noCertificate } from "@/lib/content/module-config/rules";
import { loadSettings } from "@/lib/platform/settings";
import { moduleConfigBody } from "@/lib/content/module-config/schema";
import { saveInTransaction } from "@/lib/content/records/commands";
import type { RecordFamily, StoredMembers } from "@/lib/content/records/family";
import { loadNewest } from "@/lib/content/records/queries";
import type { ItemFamily } from "@/lib/content/releases/vocabulary";
import { requireAllowed, vehicleDataFamily } from "@/lib/content/vehicle-data/commands";
import { buildContent } from "@/lib/content/vehicle-data/rules";
import { vehicleDataBody } from "@/lib/content/vehicle-data/schema";
import { distinct, findRepeated } from "@/lib/labels/order";
import type { ClientSession } from "mongoose";

/** One thing as it is in a view. */
export interface StoredItem {
  readonly key: string;
  /** In its canonical form. */
  readonly item: unknown;
}

/** A family of records as documents hold it (`exchange.md` X1). */
export interface ExchangeFamily {
  readonly family: Exclude<ItemFamily, "app">;
  /** Whether what a document does not mention can be deleted. */
  readonly isDeletable: boolean;
  /** Items of a document by their keys; undefined: the document does not speak of this family. */
  readonly mentioned: (document: ExchangeDocument) => readonly StoredItem[] | undefined;
  /** Living items of a view. */
  readonly load: (view: ExportQuery, session?: ClientSession) => Promise<readonly StoredItem[]>;
  /** Saves items in staging, and deletions; throws AppError 400 that names the item. */
  readonly save: (tx: Transaction, items: readonly StoredItem[], deleted: readonly string[]) => Promise<void>;
}

interface Description<C extends object, R extends C & StoredMembers, I> {
  readonly records: RecordFamily<C, R>;
  readonly isDeletable: boolean;
  readonly itemsOf: (document: ExchangeDocument) => readonly I[] | undefined;
  readonly keyOf: (item: I) => string;
  /** The canonical item of a body. */
  readonly itemOf: (body: object) => unknown;
  /** The canonical item of an item as somebody wrote it. */
  readonly normalize: (item: I) => unknown;
  /** What is stored of an item. */
  readonly contentOf: (item: I, tx: Transaction) => Promise<C>;
}

/** The record families in the order in which they are saved: what others need comes first. */
export const exchangeFamilies: readonly ExchangeFamily[] = [
  describeFamily({
    records: messageFamily,
    isDeletable: true,
    itemsOf: ({ messages }) => messages,
    keyOf: ({ message_category }) => message_category,
    itemOf: messageItemOf,
    normalize: (item) => messageItemOf({ ...messageBodyOf(item).messages[0] }),
    contentOf: (item) => {
      const [message] = parseItem(saveMessagesBody, messageBodyOf(item)).messages;
      if (message === undefined) throw new RangeError("one message gives one message");
      return Promise.resolve(toMessageContent(message));
    },
  }),
  describeFamily({
    records: vehicleDataFamily,
    isDeletable: true,
    itemsOf: ({ vehicle_data }) => vehicle_data,
    keyOf: ({ name }) => name,
    itemOf: vehicleDataItemOf,
    normalize: (item: VehicleDataItem) => vehicleDataItemOf(vehicleDataBodyOf(item)),
    contentOf: async (item: VehicleDataItem, tx) => {
      const { tree } = parseItem(vehicleDataBody, vehicleDataBodyOf(item));
      await requireAllowed(tree, tx);
      return buildContent(tree);
    },
  }),
  describeFamily({
    records: groupFamily,
    isDeletable: true,
    itemsOf: ({ groups }) => groups,
    keyOf: ({ name }) => name.trim(),
    itemOf: groupItemOf,
    normalize: (item) => groupItemOf(groupBodyOf(item)),
    contentOf: (item) => Promise.resolve(toGroupContent(parseItem(saveGroupBody, groupBodyOf(item)))),
  }),
  describeFamily({
    records: moduleConfigFamily,
    isDeletable: false,
    itemsOf: ({ module_config }) => (module_config === undefined ? undefined : [module_config]),
    keyOf: () => "",
    itemOf: moduleConfigItemOf,
    normalize: (item) => moduleConfigItemOf(moduleConfigBodyOf(item)),
    contentOf: async (item, { session }) => {
      const stored = (await findModuleConfig("staging", session)) ?? noCertificate;
      const body = parseItem(moduleConfigBody, moduleConfigBodyOf(item));
      return buildModuleConfigContent(body, stored, loadSettings().publicBaseUrl);
    },
  }),
];

function describeFamily<C extends object, R extends C & StoredMembers, I>(about: Description<C, R, I>): ExchangeFamily {
  const { records, isDeletable, itemsOf, keyOf, itemOf, normalize, contentOf } = about;
  /** Of the document that is being imported: canonical items are what is compared, these are what is stored. */
  const written = new WeakMap<object, I>();
  const loadRecords = async ({ environment = "production", release }: ExportQuery, session?: ClientSession) => {
    if (release === undefined) return loadNewest(records, environment, { session });
    const heads = await findHeadsAsOf(records, release, { session });
    return records.load(
      heads.map(({ id }) => id),
      session,
    );
  };
  return {
    family: records.item,
    isDeletable,
    mentioned: (document) => {
      const items = itemsOf(document)?.map((item) => {
        const one = { key: keyOf(item), item: normalize(item) };
        written.set(one, item);
        return one;
      });
      const keys = items?.map(({ key }) => key) ?? [];
      const twice = findRepeated(keys);
      if (twice !== undefined) throw new AppError("invalid", `${records.item} ${twice} is in the document twice`);
      return items;
    },
    load: async (view, session) =>
      (await loadRecords(view, session))
        .filter(({ isDeleted }) => isDeleted !== true)
        .flatMap((record) => {
          const body = records.toBody(record);
          return body === null ? [] : [{ key: records.keyOf(record), item: itemOf(body) }];
        }),
    save: async (tx, items, deleted) => {
      const edits = [];
      for (const one of items) {
        const item = written.get(one);
        if (item === undefined) throw new RangeError("what is saved was mentioned");
        edits.push(await naming(`${records.item} ${one.key}`, () => contentOf(item, tx)));
      }
      const gone =
        deleted.length === 0
          ? []
          : await loadNewest(records, "staging", { keys: distinct(deleted), session: tx.session });
      const contents = [...edits, ...gone.map((record) => ({ ...record, isDeleted: true }))];
      if (contents.length === 0) return;
      const unseen = () => Promise.resolve(null);
      await saveInTransaction(
        records,
        contents.map((content) => ({ content, baseId: null, submitted: unseen })),
        tx,
      );
    },
  };
}

/** The first problem of an item, as its own route would tell it. */
function parseItem<T extends z.ZodType>(schema: T, body: object): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("invalid", issue?.message ?? "is not valid");
}

async function naming<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "AppError") throw error;
    throw new AppError("invalid", `${what.trim()}: ${error.message}`);
  }
}
