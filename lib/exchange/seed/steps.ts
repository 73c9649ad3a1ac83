import { rawCollection } from "@/lib/platform/db/connection/connect";
import type { Transaction } from "@/lib/platform/db/transaction";
import { adoptUnreleased, authorOf } from "@/lib/records/publishing/record-release";
import { readSeed, readLanguages, buildRpcSpecification } from "@/lib/exchange/seed/files";
import { seedFiles, type ExampleApp } from "@/lib/exchange/seed/schema";
import { buildSeedModuleConfig, buildGroups } from "@/lib/exchange/seed/rules";
import { CategoryModel } from "@/models/directory/category";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { ModuleConfigModel } from "@/models/module-config";
import { PermissionModel } from "@/models/permission";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { ServiceTypeModel } from "@/models/directory/service-type";
import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import {
  blacklistChanges,
  saveApplicationFlags,
  type FlagChanges,
  saveApplicationVersions,
} from "@/lib/apps/applications/store-version";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, derivedMembers } from "@/models/application";
import type { Model } from "mongoose";
import type { CounterName } from "@/lib/platform/db/counters";

export interface FirstDataOptions {
  /** Contains the folder `seed`. */
  readonly root: string;
  /** Without a trailing slash. */
  readonly publicBaseUrl: string;
  /** Example apps are the only apps while no app directory is configured. */
  readonly withExampleApps: boolean;
}

/** Numbers are permanent: a later addition gets a new one. */
export interface Step {
  readonly number: number;
  readonly name: string;
  /** Steps that do not apply now are not marked as done and may run at a later start. */
  readonly applies?: (options: FirstDataOptions) => boolean;
  /**
   * Too large for one transaction: done before `run`, safe to repeat. `after` is 0 for the first transaction, else what
   * the previous one returned; null when all is done.
   */
  readonly advance?: (tx: Transaction, after: number) => Promise<number | null>;
  /** Runs inside one transaction, on a database that may already contain data. It adds and never overwrites. */
  run(tx: Transaction, options: FirstDataOptions): Promise<void>;
}

type SeedModel = Parameters<typeof rawCollection>[0];

/** First data never touches a filled collection. */
async function holdsData(tx: Transaction, model: SeedModel): Promise<boolean> {
  const options = { session: tx.session, projection: { _id: 1 } };
  return (await rawCollection(model).findOne({ _id: { $gt: 0 } }, options)) !== null;
}

/** Fills an empty collection. `counter` is null if the documents already have ids. */
async function fill<T>(
  tx: Transaction,
  model: Model<T>,
  counter: CounterName | null,
  read: () => Promise<readonly object[]>,
): Promise<void> {
  if (await holdsData(tx, model)) return;
  const documents = await read();
  const ids = counter === null ? [] : await tx.nextIds(counter, documents.length);
  const added = counter === null ? [...documents] : documents.map((one, index) => ({ ...one, _id: ids[index] }));
  await model.insertMany(added, { session: tx.session });
}

export const steps: readonly Step[] = [
  {
    number: 1,
    name: "languages",
    run: (tx, { root }) =>
      fill(tx, LanguageModel, "languages", async () => {
        const codes = [...(await readLanguages(root))].toSorted();
        return codes.map((languageId) => ({ languageId }));
      }),
  },
  {
    number: 2,
    name: "permissions",
    run: (tx, { root }) =>
      fill(tx, PermissionModel, "permissions", async () => {
        const permissions = await readSeed(root, seedFiles.permissions);
        // Same names as in the example directory, so that its first synchronization changes nothing.
        return permissions.map(({ key, function_id: functionId, ...rest }) => {
          return { ...rest, name: key, displayName: key, functionId, revision: tx.revision };
        });
      }),
  },
  {
    number: 3,
    name: "categories and service types",
    run: async (tx, { root }) => {
      const { categories, service_types } = await readSeed(root, seedFiles.appServices);
      await fill(tx, CategoryModel, null, () =>
        Promise.resolve(categories.map(({ id, name, display_name: displayName }) => ({ _id: id, name, displayName }))),
      );
      await fill(tx, ServiceTypeModel, "service_types", () =>
        Promise.resolve(
          service_types.map(({ name, display_name: displayName, handled_rpcs }) => {
            return { name, displayName, permissions: handled_rpcs.map((rpc) => rpc.name) };
          }),
        ),
      );
    },
  },
  {
    number: 4,
    name: "RPC specification",
    run: (tx, { root }) =>
      fill(tx, RpcSpecificationModel, "rpc_specifications", async () => {
        return [buildRpcSpecification(await readSeed(root, seedFiles.rpcSpec), tx.now)];
      }),
  },
  {
    number: 5,
    name: "consumer messages",
    run: (tx, { root }) =>
      fill(tx, ConsumerMessageModel, "consumer_messages", async () => {
        const documents = [];
        for (const { name, languages } of (await readSeed(root, seedFiles.consumerMessages)).categories) {
          const texts = Object.entries(languages).toSorted(([a], [b]) => (a < b ? -1 : 1));
          const ids = await tx.nextIds("message_texts", texts.length);
          const translated = texts.map(([languageId, text], at) => ({ id: ids[at], languageId, ...text }));
          documents.push({ category: name, status: "PRODUCTION", languages: translated });
        }
        return documents;
      }),
  },
  {
    number: 6,
    name: "functional groups",
    run: (tx, { root }) =>
      fill(tx, FunctionalGroupModel, "functional_groups", async () => {
        return buildGroups(await readSeed(root, seedFiles.functionalGroups));
      }),
  },
  {
    number: 7,
    name: "module config",
    run: (tx, { root, publicBaseUrl }) =>
      fill(tx, ModuleConfigModel, "module_configs", async () => {
        return [buildSeedModuleConfig(await readSeed(root, seedFiles.moduleConfig), publicBaseUrl)];
      }),
  },
  {
    number: 8,
    name: "example apps",
    applies: ({ withExampleApps }) => withExampleApps,
    run: async (tx, { root }) => saveExampleApps(tx, await readSeed(root, seedFiles.exampleApps)),
  },
  {
    number: 9,
    name: "what a search for apps looks at",
    advance: deriveSearchTexts,
    run: () => Promise.resolve(),
  },
  {
    number: 10,
    name: "first release",
    run: (tx) => adoptUnreleased(tx, authorOf(tx.writer)),
  },
];

/** Skipped if the database knows any app, because example apps must never appear among real ones. */
async function saveExampleApps(tx: Transaction, apps: readonly ExampleApp[]): Promise<void> {
  const { session } = tx;
  const known = await ApplicationFlagsModel.findOne({ _id: { $gt: 0 } }, { _id: 1 }, { session }).lean();
  if (known !== null) return;
  const serviceTypes = await ServiceTypeModel.find({}, {}, { session }).sort({ name: 1 }).lean();
  const undecided = { isBlacklisted: false, isAutoApprovedEnabled: false };
  const defaults = { ...undecided, autoApproveAllApps: false, encryptionRequired: false };
  for (const app of apps) {
    const version = buildApplicationVersion(app, { defaults, serviceTypes, now: tx.now });
    await saveApplicationVersions(tx, [
      {
        ...version,
        approvalStatus: app.local?.approval_status ?? version.approvalStatus,
        denialMessage: app.local?.denial_message ?? null,
        encryptionRequired: app.local?.encryption_required ?? version.encryptionRequired,
        groupGrants: app.local?.group_grants ?? [],
      },
    ]);
    await saveApplicationFlags(tx, app.uuid, buildFlags(app, tx.now));
  }
}

/** Only what the file states, so that a second version of an app does not undo what the first one set. */
function buildFlags({ local = {} }: ExampleApp, now: Date): FlagChanges {
  const stated = {
    isAutoApprovedEnabled: local.is_auto_approved_enabled,
    isAdministratorApp: local.is_administrator_app,
    allowUnknownRpcPassthrough: local.allow_unknown_rpc_passthrough,
    hybridAppPreference: local.hybrid_app_preference,
    priority: local.priority,
  };
  return {
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    ...(local.is_blacklisted === true && blacklistChanges(true, now)),
  };
}

const perTransaction = 500;
const members = {
  uuid: 1,
  shortUuid: 1,
  name: 1,
  displayNames: 1,
  vendorName: 1,
  vendorEmail: 1,
  techEmail: 1,
  services: 1,
  permissions: 1,
  searchText: 1,
} as const;

/** Versions stored earlier are based on fewer fields. Takes and returns the last finished id; null at the end. */
async function deriveSearchTexts({ session }: Transaction, after: number): Promise<number | null> {
  const versions = await ApplicationModel.find({ _id: { $gt: after } }, members, { session })
    .sort({ _id: 1 })
    .limit(perTransaction)
    .lean();
  const updates = versions.flatMap((version) => {
    const { searchText } = derivedMembers(version);
    if (searchText === version.searchText) return [];
    return [{ updateOne: { filter: { _id: version._id }, update: { $set: { searchText } } } }];
  });
  if (updates.length > 0) await ApplicationModel.bulkWrite(updates, { session });
  return versions.length < perTransaction ? null : (versions.at(-1)?._id ?? null);
}
