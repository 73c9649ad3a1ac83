import "server-only";
import { isRenewalDue } from "@/lib/certificates/renewal-rules";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";

/** Versions looked at by one query. */
const pageSize = 500;

/**
 * Reads the uuids of the apps whose certificate is missing or ends soon (rules X1, X4), in ascending order and a page at a
 * time: only one page is in memory, and one that took hours to work off does not make the next one old.
 *
 * @throws DatabaseUnavailable
 */
export async function* readDueApps(): AsyncGenerator<readonly string[], undefined> {
  for (let last: string | undefined = ""; last !== undefined;) {
    const uuids = await readApps(last);
    last = uuids.at(-1);
    const due = await withoutValid(uuids);
    if (due.length > 0) yield due;
  }
  return undefined;
}

/** Apps after this uuid. Of one with more versions than a page has, the rest is passed over by the next page. */
async function readApps(after: string): Promise<readonly string[]> {
  try {
    const query = ApplicationModel.find({ uuid: { $gt: after } }, { _id: 0, uuid: 1 });
    const versions = await query.sort({ uuid: 1, _id: -1 }).limit(pageSize).lean();
    return [...new Set(versions.map(({ uuid }) => uuid))];
  } catch (error) {
    throw toDatabaseError(error);
  }
}

async function withoutValid(uuids: readonly string[]): Promise<readonly string[]> {
  try {
    const stored = await AppCertificateModel.find({ _id: { $in: uuids } }, { expirationTs: 1, createdAt: 1 }).lean();
    const now = new Date();
    const isValid = (one: (typeof stored)[number]) => !isRenewalDue(one.expirationTs, now, one.createdAt);
    const valid = new Set(stored.filter(isValid).map(({ _id }) => _id));
    return uuids.filter((uuid) => !valid.has(uuid));
  } catch (error) {
    throw toDatabaseError(error);
  }
}
