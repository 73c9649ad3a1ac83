import "server-only";
import { sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { clearCollections, findContent, ungatedCollection } from "@/lib/platform/backup/restore";
import { removeSavedPolicies } from "@/lib/platform/backup/restore-folder";
import { requireKnownSchema } from "@/lib/platform/db/connection/database-facts";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { withLock } from "@/lib/platform/db/lock";
import { prepareTrail } from "@/lib/platform/db/prepare-trail";
import { ensureBookkeeping, ensureCollections } from "@/lib/platform/db/prepare";
import { inTransaction } from "@/lib/platform/db/transaction";
import { convertApps, convertCertificates, convertFlags } from "@/lib/exchange/migration/convert/apps";
import { digestsOf } from "@/lib/exchange/migration/items";
import { convertGroups } from "@/lib/exchange/migration/convert/groups";
import { convertMessages } from "@/lib/exchange/migration/convert/messages";
import { convertModuleConfigs } from "@/lib/exchange/migration/convert/module-config";
import { convertVehicleData } from "@/lib/exchange/migration/convert/vehicle-data";
import type { Loss, SdlData } from "@/lib/exchange/migration/convert/tables";
import { checkMoved } from "@/lib/exchange/migration/check-migrated";
import { completeFirstData } from "@/lib/exchange/seed/first-data";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { CounterModel } from "@/models/database/counter";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { MovedItemModel } from "@/models/database/moved-item";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";

export interface Moved {
  /** By kind. */
  readonly carried: Readonly<Record<string, number>>;
  readonly losses: readonly Loss[];
}

/** `exchange.md` X7. Stores nothing. `languages`: codes that head units know. */
export function convert(data: SdlData, languages: ReadonlySet<string>, revision: number) {
  const losses: Loss[] = [];
  const report = (loss: Loss) => void losses.push(loss);
  const documents = {
    functional_groups: convertGroups(data, report),
    consumer_messages: convertMessages(data, languages, report),
    custom_vehicle_data: convertVehicleData(data, report),
    module_configs: convertModuleConfigs(data, (key) => sealPrivateKey(key), report),
    applications: convertApps(data, report),
    application_flags: convertFlags(data, revision, report),
    app_certificates: convertCertificates(data),
  };
  const carried = Object.fromEntries(Object.entries(documents).map(([name, list]) => [name, list.length]));
  return { documents, carried, losses };
}
type Documents = ReturnType<typeof convert>["documents"];

export const movedContext = { actor: "setup", route: "import-sdl-server", requestId: null };
const factsName = DatabaseFactsModel.collection.collectionName;
const batchDocuments = 500;
/** Short, so that a run after a killed one need not wait long. */
const lockTtlMs = 5000;

/** Nothing is stored. The message is for people. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";

  constructor(
    message: string,
    /** Further lines for people. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

interface StoreOptions {
  /** Codes that head units know. */
  readonly languages: ReadonlySet<string>;
  /** Project folder, for data that the other server gets from elsewhere. */
  readonly root: string;
  readonly publicBaseUrl: string;
  /** The policy snapshot of previous data in this folder is discarded. */
  readonly dataDir: string;
  /** False: do everything but the commit. The database stays incomplete and is to be thrown away. */
  readonly commits: boolean;
  readonly told?: (progress: { readonly documents: number; readonly of: number }) => void;
}

/**
 * Stores data in the connected, empty database (`exchange.md` X6, X6a). It is too much for one transaction, so a mark
 * is set before the first change and removed with the last, in one small transaction. While the mark exists, also after
 * a failure, every server refuses the database, and the next run starts over. Sends nothing to the app directory, and
 * no mail. Throws MoveRefused if the database contains data, or if head units would refuse a table.
 */
export async function storeMoved(data: SdlData, options: StoreOptions): Promise<Moved> {
  const locked = await withLock("import from sdl_server", { ttlMs: lockTtlMs, wait: true }, async () => {
    await requireEmpty();
    await inDatabase(() => ensureCollections());
    const mark = new Date();
    await beginAnew(mark);
    const moved = await load(data, options, mark).catch(async (error: unknown) => {
      // The mark stays, so that no server starts with an empty policy in its place. Therefore clearing may fail too.
      await clear(mark).catch(() => undefined);
      throw error;
    });
    // If the outcome of the commit is unknown, either it is complete or the mark still exists.
    if (options.commits) await commit(moved, mark);
    return moved;
  });
  if (locked === null) throw new Error("The lock was not waited for");
  return locked.result;
}

/** Throws MoveRefused for data other than that of an interrupted run; DatabaseRefused. */
export async function requireEmpty(): Promise<void> {
  const { documents, isHalfImported } = await findContent();
  if (isHalfImported) return;
  await requireKnownSchema();
  if (documents === 0) return;
  throw new MoveRefused("The database holds data already: only an empty one can take those of another server");
}

/** Removes what an interrupted run left. */
async function beginAnew(mark: Date): Promise<void> {
  await inDatabase(async () => {
    await ensureBookkeeping();
    await DatabaseFactsModel.updateOne({ _id: "database" }, { $set: { importingSince: mark, auditKeyId: null } });
    await clearCollections([factsName]);
    await ensureBookkeeping();
    await prepareTrail(null);
  });
}

async function clear(mark: Date): Promise<void> {
  await requireMark(mark);
  await inDatabase(() => clearCollections([factsName]));
}

/** A run that paused for longer than its lock lasts may have lost the database to another run. */
async function requireMark(mark: Date): Promise<void> {
  const found = await inDatabase(() => DatabaseFactsModel.findOne({ _id: "database", importingSince: mark }).lean());
  if (found === null) throw new MoveRefused("Another run has taken over the database meanwhile");
}

async function load(data: SdlData, options: StoreOptions, mark: Date): Promise<Moved> {
  const { languages, root, publicBaseUrl, dataDir, told = () => undefined } = options;
  // They belong to no release, and to no revision before the first.
  const { documents, carried, losses } = convert(data, languages, 1);
  const stores = storesOf(documents);
  const of = stores.reduce((sum, [, list]) => sum + list.length, 0);
  let stored = 0;
  for (const [model, list] of stores) {
    const before = stored;
    await store(model, list, async (count) => {
      told({ documents: before + count, of });
      await requireMark(mark);
    });
    stored += list.length;
  }
  await raiseCounters(documents);
  // Adds what the other server gets from elsewhere: vocabulary, specification and the first release.
  await completeFirstData({ root, publicBaseUrl, withExampleApps: false });
  const refusals = await checkMoved(publicBaseUrl);
  if (refusals.length > 0) {
    const sentence =
      "Head units would refuse the policy tables made of this data: correct it on the other server, and try again";
    throw new MoveRefused(sentence, refusals);
  }
  if (options.commits) await removeSavedPolicies(dataDir);
  return { carried, losses };
}

async function commit({ carried, losses }: Moved, mark: Date): Promise<void> {
  await inTransaction(movedContext, async (tx) => {
    const whole = { $set: { importingSince: null } };
    const marked = { _id: "database", importingSince: mark };
    await DatabaseFactsModel.updateOne(marked, whole, { session: tx.session });
    tx.record({ action: "import.sdl_server", target: "database", after: { ...carried, losses: losses.length } });
  });
}

interface Stored {
  readonly collection: { readonly collectionName: string };
  new (document: object): { validate(): Promise<void> };
}

function storesOf(documents: Documents): readonly (readonly [Stored, readonly object[]])[] {
  return [
    [FunctionalGroupModel, documents.functional_groups],
    [ConsumerMessageModel, documents.consumer_messages],
    [CustomVehicleDataModel, documents.custom_vehicle_data],
    [ModuleConfigModel, documents.module_configs],
    [ApplicationModel, documents.applications],
    [ApplicationFlagsModel, documents.application_flags],
    [AppCertificateModel, documents.app_certificates],
    [MovedItemModel, Array.from(digestsOf(documents), ([_id, digest]) => ({ _id, digest }))],
  ];
}

async function store(
  model: Stored,
  documents: readonly object[],
  told: (count: number) => Promise<void>,
): Promise<void> {
  const { collectionName } = model.collection;
  const collection = ungatedCollection(collectionName);
  for (let from = 0; from < documents.length; from += batchDocuments) {
    const batch = documents.slice(from, from + batchDocuments);
    for (const document of batch) {
      await new model(document).validate();
    }
    await inDatabase(() => collection.insertMany(batch));
    await told(from + batch.length);
  }
  const found = await inDatabase(() => collection.countDocuments());
  if (found !== documents.length)
    throw new Error(`${found} of ${documents.length} documents of ${collectionName} are stored`);
}

/** New ids start after the migrated ones. */
async function raiseCounters(documents: Documents): Promise<void> {
  const greatest = (ids: readonly number[]) => ids.reduce((max, id) => Math.max(max, id), 0);
  const values = {
    functional_groups: greatest(documents.functional_groups.map(({ _id }) => _id)),
    consumer_messages: greatest(documents.consumer_messages.map(({ _id }) => _id)),
    message_texts: greatest(documents.consumer_messages.flatMap(({ languages }) => languages.map(({ id }) => id))),
    custom_vehicle_data: greatest(documents.custom_vehicle_data.flatMap(({ nodes }) => nodes.map(({ id }) => id))),
    module_configs: greatest(documents.module_configs.map(({ _id }) => _id)),
    applications: greatest(documents.applications.map(({ _id }) => _id)),
    application_flags: documents.application_flags.length,
  };
  for (const [name, value] of Object.entries(values)) {
    await CounterModel.updateOne({ _id: name }, { $set: { value } }, { upsert: true });
  }
}
