import { rawCollection } from "@/lib/platform/db/connection/connect";
import type { Transaction } from "@/lib/platform/db/transaction";
import { adoptUnreleased, authorOf } from "@/lib/content/releases/record-release";
import { readSeed } from "@/lib/exchange/seed/files";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { buildModuleConfig, buildRpcSpecification, buildGroups } from "@/lib/exchange/seed/rules";
import { saveExampleApps } from "@/lib/exchange/seed/example-apps";
import { deriveSearchTexts } from "@/lib/exchange/seed/search-texts";
import { CategoryModel } from "@/models/directory/category";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { ModuleConfigModel } from "@/models/module-config";
import { PermissionModel } from "@/models/permission";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { ServiceTypeModel } from "@/models/directory/service-type";

/** What first data depend on. */
export interface FirstDataOptions {
  /** Project folder; the files are in its folder `seed`. */
  readonly root: string;
  /** Public base URL without a trailing slash, for the addresses of the module config. */
  readonly publicBaseUrl: string;
  /** Store the made-up apps: while no directory is configured there are no others. */
  readonly withExampleApps: boolean;
}

/** One numbered step (rule B5). Numbers are for ever: a later addition gets a new one. */
export interface Step {
  readonly number: number;
  readonly name: string;
  /** Steps that do not apply now are not marked as done and may run at a later start. */
  readonly applies?: (options: FirstDataOptions) => boolean;
  /**
   * Work that is too large for one transaction, done before `run` in as many as it takes; safe to repeat from its start.
   *
   * @param after where the transaction before ended, 0 in the first
   * @returns where this one ended, null when all is done
   */
  readonly advance?: (tx: Transaction, after: number) => Promise<number | null>;
  /** Runs inside one transaction, on a database that may hold data already: it adds and never overwrites. */
  run(tx: Transaction, options: FirstDataOptions): Promise<void>;
}

/** Whether the collection holds anything; whoever filled it, first data stay away from it. */
async function holdsData(tx: Transaction, model: Parameters<typeof rawCollection>[0]): Promise<boolean> {
  const options = { session: tx.session, projection: { _id: 1 } };
  return (await rawCollection(model).findOne({ _id: { $gt: 0 } }, options)) !== null;
}

export const steps: readonly Step[] = [
  {
    number: 1,
    name: "languages",
    run: async (tx, { root }) => {
      if (await holdsData(tx, LanguageModel)) return;
      const { languages, additional_policy_languages } = await readSeed(root, seedFiles.languages);
      const codes = [...languages, ...additional_policy_languages].map(({ id }) => id).toSorted();
      const ids = await tx.nextIds("languages", codes.length);
      const documents = codes.map((languageId, index) => ({ _id: ids[index], languageId }));
      await LanguageModel.insertMany(documents, { session: tx.session });
    },
  },
  {
    number: 2,
    name: "permissions",
    run: async (tx, { root }) => {
      if (await holdsData(tx, PermissionModel)) return;
      const permissions = await readSeed(root, seedFiles.permissions);
      const ids = await tx.nextIds("permissions", permissions.length);
      const documents = permissions.map(({ key, type, function_id, parents }, index) => ({
        _id: ids[index],
        name: key,
        type,
        // As the example directory calls them: its first synchronisation finds nothing to change.
        displayName: key,
        functionId: function_id,
        parents,
        revision: tx.revision,
      }));
      await PermissionModel.insertMany(documents, { session: tx.session });
    },
  },
  {
    number: 3,
    name: "categories and service types",
    run: async (tx, { root }) => {
      const { categories, service_types } = await readSeed(root, seedFiles.appServices);
      if (!(await holdsData(tx, CategoryModel))) {
        const documents = categories.map(({ id, name, display_name }) => ({
          _id: id,
          name,
          displayName: display_name,
        }));
        await CategoryModel.insertMany(documents, { session: tx.session });
      }
      if (await holdsData(tx, ServiceTypeModel)) return;
      const ids = await tx.nextIds("service_types", service_types.length);
      const documents = service_types.map(({ name, display_name, handled_rpcs }, index) => ({
        _id: ids[index],
        name,
        displayName: display_name,
        permissions: handled_rpcs.map((rpc) => rpc.name),
      }));
      await ServiceTypeModel.insertMany(documents, { session: tx.session });
    },
  },
  {
    number: 4,
    name: "RPC specification",
    run: async (tx, { root }) => {
      if (await holdsData(tx, RpcSpecificationModel)) return;
      const document = buildRpcSpecification(await readSeed(root, seedFiles.rpcSpec), tx.now);
      const _id = await tx.nextId("rpc_specifications");
      await RpcSpecificationModel.insertMany([{ ...document, _id }], { session: tx.session });
    },
  },
  {
    number: 5,
    name: "consumer messages",
    run: async (tx, { root }) => {
      if (await holdsData(tx, ConsumerMessageModel)) return;
      const { categories } = await readSeed(root, seedFiles.consumerMessages);
      const ids = await tx.nextIds("consumer_messages", categories.length);
      const documents = [];
      for (const [index, { name, languages }] of categories.entries()) {
        const texts = Object.entries(languages).toSorted(([a], [b]) => (a < b ? -1 : 1));
        const textIds = await tx.nextIds("message_texts", texts.length);
        documents.push({
          _id: ids[index],
          category: name,
          status: "PRODUCTION" as const,
          languages: texts.map(([languageId, text], at) => ({ id: textIds[at], languageId, ...text })),
        });
      }
      await ConsumerMessageModel.insertMany(documents, { session: tx.session });
    },
  },
  {
    number: 6,
    name: "functional groups",
    run: async (tx, { root }) => {
      if (await holdsData(tx, FunctionalGroupModel)) return;
      const groups = buildGroups(await readSeed(root, seedFiles.functionalGroups));
      const ids = await tx.nextIds("functional_groups", groups.length);
      const documents = groups.map((group, index) => ({ ...group, _id: ids[index] }));
      await FunctionalGroupModel.insertMany(documents, { session: tx.session });
    },
  },
  {
    number: 7,
    name: "module config",
    run: async (tx, { root, publicBaseUrl }) => {
      if (await holdsData(tx, ModuleConfigModel)) return;
      const document = buildModuleConfig(await readSeed(root, seedFiles.moduleConfig), publicBaseUrl);
      const _id = await tx.nextId("module_configs");
      await ModuleConfigModel.insertMany([{ ...document, _id }], { session: tx.session });
    },
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
