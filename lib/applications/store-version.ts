import { type Transaction } from "@/lib/db/transaction";
import { type NewApplicationVersion } from "@/lib/applications/rules";
import { type HybridPreference } from "@/lib/policy/vocabulary";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { CategoryModel } from "@/models/category";
import { ServiceTypeModel } from "@/models/service-type";

/** The members of an app's flags that a command may change. */
export interface FlagChanges {
  readonly isAutoApprovedEnabled?: boolean;
  readonly isAdministratorApp?: boolean;
  readonly allowUnknownRpcPassthrough?: boolean;
  readonly hybridAppPreference?: HybridPreference | null;
  readonly isBlacklisted?: boolean;
  readonly blacklistedTs?: Date | null;
  readonly blacklistOrigin?: "directory" | "administrator" | null;
}

/**
 * Stores a version that the directory delivered, together with the lists it names that are still unknown (rules D6,
 * D14), and stamps the app.
 *
 * @returns the id of the new record, or null when this version is stored already (rule D3)
 */
export async function saveApplicationVersion(tx: Transaction, version: NewApplicationVersion): Promise<number | null> {
  const { uuid, versionId } = version;
  const known = await ApplicationModel.findOne({ uuid, versionId }, { _id: 1 }, { session: tx.session }).lean();
  if (known !== null) return null;
  await saveUnknownCategories(tx, version);
  await saveUnknownServiceTypes(tx, version);
  const id = await tx.nextId("applications");
  // Lists find the newest version of every app by this mark instead of comparing all versions.
  await ApplicationModel.updateMany({ uuid, isLatest: true }, { $set: { isLatest: false } }, { session: tx.session });
  await ApplicationModel.insertMany([{ ...version, _id: id, isLatest: true }], { session: tx.session });
  await saveApplicationFlags(tx, uuid, {});
  return id;
}

/**
 * Changes an app's flags, which are made when the app is new, and stamps the app with the revision of the transaction.
 * Every write about an app, its versions included, must end here (with `{}` when no flag changes): the compiled
 * policies read only stamped apps again.
 */
export async function saveApplicationFlags(tx: Transaction, uuid: string, changes: FlagChanges): Promise<void> {
  const set = { ...changes, revision: tx.revision };
  const { matchedCount } = await ApplicationFlagsModel.updateOne({ uuid }, { $set: set }, { session: tx.session });
  if (matchedCount > 0) return;
  const flags = { ...set, _id: await tx.nextId("application_flags"), uuid, uuidKey: uuid.toLowerCase() };
  await ApplicationFlagsModel.insertMany([flags], { session: tx.session });
}

async function saveUnknownCategories(tx: Transaction, { categories }: NewApplicationVersion): Promise<void> {
  for (const { id, name, displayName } of categories) {
    if (name === null) continue;
    await CategoryModel.updateOne(
      { _id: id },
      { $setOnInsert: { name, displayName } },
      { session: tx.session, upsert: true },
    );
  }
}

async function saveUnknownServiceTypes(tx: Transaction, { services }: NewApplicationVersion): Promise<void> {
  for (const { name, displayName } of services) {
    const known = await ServiceTypeModel.findOne({ name }, { _id: 1 }, { session: tx.session }).lean();
    if (known !== null) continue;
    const type = { _id: await tx.nextId("service_types"), name, displayName, permissions: [] };
    await ServiceTypeModel.insertMany([type], { session: tx.session });
  }
}
