import "server-only";
import type { ClientSession } from "mongoose";
import { isPlain } from "@/lib/apps/applications/removal";
import { findVersionNumbers } from "@/lib/apps/applications/store-version";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationFlagsModel } from "@/models/application-flags";
import type { RecordHead } from "@/lib/apps/directory/client/read-record";

/** Uuids as this server spells them: the same app whatever case the directory sends. */
export class Spellings {
  readonly #exact = new Set<string>();
  readonly #byKey = new Map<string, string>();

  /** @param stored the first one of those that differ only in case counts */
  constructor(stored: Iterable<string>) {
    for (const uuid of stored) this.take(uuid);
  }

  /** The spelling that is kept of an app; its own for one that has none yet. */
  of(uuid: string): string {
    return this.#exact.has(uuid) ? uuid : (this.#byKey.get(uuid.toLowerCase()) ?? uuid);
  }

  /** The same; the spelling of an unknown app counts from now on. */
  take(uuid: string): string {
    const spelling = this.of(uuid);
    this.#exact.add(spelling);
    if (!this.#byKey.has(spelling.toLowerCase())) this.#byKey.set(spelling.toLowerCase(), spelling);
    return spelling;
  }
}

/** The flags of these apps in whatever case they are stored, the oldest first. */
export function findFlagsOf(uuids: Iterable<string>, session?: ClientSession) {
  const keys = [...new Set(Array.from(uuids, (uuid) => uuid.toLowerCase()))];
  const options = session === undefined ? {} : { session };
  return ApplicationFlagsModel.find({ uuidKey: { $in: keys } }, null, options)
    .sort({ _id: 1 })
    .lean();
}

/** How the stored ones of these apps are spelled. Throws DatabaseUnavailable. */
export async function loadSpellings(uuids: Iterable<string>): Promise<Spellings> {
  const found = await inDatabase(() => findFlagsOf(uuids));
  return new Spellings(found.map(({ uuid }) => uuid));
}

/**
 * Reads what is stored about the apps of a batch, as far as it decides whether anything is to be done. Most batches
 * bring nothing new, so this is all they cost.
 *
 * @throws DatabaseUnavailable
 */
export function loadStoredApps(uuids: readonly string[]): Promise<StoredApps & { readonly spellings: Spellings }> {
  return inDatabase(async () => {
    const flags = await findFlagsOf(uuids);
    // Whatever is stored of an app, it has flags.
    const versions = await findVersionNumbers(flags.map(({ uuid }) => uuid));
    return {
      spellings: new Spellings(flags.map(({ uuid }) => uuid)),
      versions,
      decided: new Set(flags.filter((one) => !isPlain(one)).map(({ uuid }) => uuid)),
      blacklisted: new Set(flags.filter(({ isBlacklisted }) => isBlacklisted).map(({ uuid }) => uuid)),
    };
  });
}

/** What is stored about the apps of a batch, as far as it decides whether a record changes anything. */
export interface StoredApps {
  /** The version numbers stored, by uuid. */
  readonly versions: ReadonlyMap<string, ReadonlySet<number | null>>;
  /** Apps whose flags would change if they were deleted. */
  readonly decided: ReadonlySet<string>;
  readonly blacklisted: ReadonlySet<string>;
}

/** What is to be done about a record. `settled`: nothing, the database says so already. */
export type Plan = "delete" | "blacklist" | "store";
export type Settled = "deleted" | "blacklisted" | "known";

/**
 * Rules D1, D2 and D3, in this order.
 *
 * @param isChanging an earlier record of the batch changes the app: what is stored now says nothing about it
 */
export function planRecord(head: RecordHead, stored: StoredApps, isChanging = false): Plan | Settled {
  const { uuid, versionId } = head;
  const versions = stored.versions.get(uuid);
  if (head.isDeleted) {
    return isChanging || versions !== undefined || stored.decided.has(uuid) ? "delete" : "deleted";
  }
  if (head.isBlacklisted) return !isChanging && stored.blacklisted.has(uuid) ? "blacklisted" : "blacklist";
  return !isChanging && versions?.has(versionId) === true ? "known" : "store";
}
