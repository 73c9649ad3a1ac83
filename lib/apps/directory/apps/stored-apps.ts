import "server-only";
import type { ClientSession } from "mongoose";
import { isPlain } from "@/lib/apps/applications/removal";
import { findVersionNumbers } from "@/lib/apps/applications/store-version";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationFlagsModel } from "@/models/application-flags";
import type { DirectoryRecordHead } from "@/lib/apps/directory/client/read-record";

/** The app is the same whatever case the app directory sends. */
export class Spellings {
  readonly #exact = new Set<string>();
  readonly #byKey = new Map<string, string>();

  /** Of several that differ only in case, the first one counts. */
  constructor(stored: Iterable<string>) {
    for (const uuid of stored) this.take(uuid);
  }

  /** The given spelling for an unknown app. */
  of(uuid: string): string {
    return this.#exact.has(uuid) ? uuid : (this.#byKey.get(uuid.toLowerCase()) ?? uuid);
  }

  take(uuid: string): string {
    const spelling = this.of(uuid);
    this.#exact.add(spelling);
    if (!this.#byKey.has(spelling.toLowerCase())) this.#byKey.set(spelling.toLowerCase(), spelling);
    return spelling;
  }
}

export function findFlagsOf(uuids: Iterable<string>, session?: ClientSession) {
  const keys = [...new Set(Array.from(uuids, (uuid) => uuid.toLowerCase()))];
  const options = session === undefined ? {} : { session };
  return ApplicationFlagsModel.find({ uuidKey: { $in: keys } }, null, options)
    .sort({ _id: 1 })
    .lean();
}

/** Throws DatabaseUnavailable. */
export async function loadSpellings(uuids: Iterable<string>): Promise<Spellings> {
  const found = await inDatabase(() => findFlagsOf(uuids));
  return new Spellings(found.map(({ uuid }) => uuid));
}

/** Most batches bring no news and cost only this. Throws DatabaseUnavailable. */
export function loadStoredApps(uuids: readonly string[]): Promise<StoredApps & { readonly spellings: Spellings }> {
  return inDatabase(async () => {
    const flags = await findFlagsOf(uuids);
    // Every stored app has flags.
    const versions = await findVersionNumbers(flags.map(({ uuid }) => uuid));
    return {
      spellings: new Spellings(flags.map(({ uuid }) => uuid)),
      versions,
      decided: new Set(flags.filter((one) => !isPlain(one)).map(({ uuid }) => uuid)),
      blacklisted: new Set(flags.filter(({ isBlacklisted }) => isBlacklisted).map(({ uuid }) => uuid)),
    };
  });
}

export interface StoredApps {
  /** Version numbers by uuid. */
  readonly versions: ReadonlyMap<string, ReadonlySet<number | null>>;
  /** Apps whose flags would change if they were deleted. */
  readonly decided: ReadonlySet<string>;
  readonly blacklisted: ReadonlySet<string>;
}

/** What to do about a record. `settled`: nothing, because the database is already up to date. */
type Plan = "delete" | "blacklist" | "store";
export type Settled = "deleted" | "blacklisted" | "known";

/** Rules D1, D2 and D3, in this order. `isChanging`: an earlier record makes the stored state outdated. */
export function planRecord(head: DirectoryRecordHead, stored: StoredApps, isChanging = false): Plan | Settled {
  const { uuid, versionId } = head;
  const versions = stored.versions.get(uuid);
  if (head.isDeleted) {
    return isChanging || versions !== undefined || stored.decided.has(uuid) ? "delete" : "deleted";
  }
  if (head.isBlacklisted) return !isChanging && stored.blacklisted.has(uuid) ? "blacklisted" : "blacklist";
  return !isChanging && versions?.has(versionId) === true ? "known" : "store";
}
