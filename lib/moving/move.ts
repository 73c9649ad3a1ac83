import "server-only";
import { sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { inTransaction, type Transaction } from "@/lib/db/transaction";
import { convertApps, convertCertificates, convertFlags } from "@/lib/moving/apps";
import { convertGroups, convertMessages, convertModuleConfigs, convertVehicleData } from "@/lib/moving/records";
import type { Loss, SdlData } from "@/lib/moving/tables";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { CounterModel } from "@/models/database/counter";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";

/** What is made of another server's data. */
export interface Moved {
  /** Numbers of records, by what they are. */
  readonly carried: Readonly<Record<string, number>>;
  readonly losses: readonly Loss[];
}

/**
 * Makes the records of this server out of those of an sdl_server (`exchange.md` X7), without storing anything.
 *
 * @param languages codes that head units know
 * @param revision in which they are to be stored
 */
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

const context = { actor: "setup", route: "import-sdl-server", requestId: null };
const perInsert = 200;

/**
 * Stores the data of an sdl_server in an empty, prepared database, in one transaction (`exchange.md` X6). The directory is
 * told nothing, and nobody gets mail.
 *
 * @throws DatabaseUnavailable; nothing is stored then
 */
export async function storeMoved(data: SdlData, languages: ReadonlySet<string>): Promise<Moved> {
  return inTransaction(context, async (tx) => {
    const { documents, carried, losses } = convert(data, languages, tx.revision);
    const { functional_groups, consumer_messages, custom_vehicle_data, module_configs, ...apps } = documents;
    await store(tx, FunctionalGroupModel, functional_groups);
    await store(tx, ConsumerMessageModel, consumer_messages);
    await store(tx, CustomVehicleDataModel, custom_vehicle_data);
    await store(tx, ModuleConfigModel, module_configs);
    await store(tx, ApplicationModel, apps.applications);
    await store(tx, ApplicationFlagsModel, apps.application_flags);
    await store(tx, AppCertificateModel, apps.app_certificates);
    await raiseCounters(tx, documents);
    tx.record({ action: "import.sdl_server", target: "database", after: { ...carried, losses: losses.length } });
    return { carried, losses };
  });
}

interface Insertable {
  insertMany(documents: readonly object[], options: InsertOptions): Promise<unknown>;
}
interface InsertOptions {
  readonly session: Transaction["session"];
  /** Those of the other server stay. */
  readonly timestamps: false;
}

async function store({ session }: Transaction, model: Insertable, documents: readonly object[]): Promise<void> {
  for (let from = 0; from < documents.length; from += perInsert) {
    await model.insertMany(documents.slice(from, from + perInsert), { session, timestamps: false });
  }
}

/** New ids begin after those that were carried over. */
async function raiseCounters({ session }: Transaction, documents: Documents): Promise<void> {
  const greatest = (ids: readonly number[]) => ids.reduce((most, id) => Math.max(most, id), 0);
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
    await CounterModel.updateOne({ _id: name }, { $set: { value } }, { session, upsert: true });
  }
}
