import "server-only";
import { makeFirstCertificate } from "@/lib/certificates/app/on-demand";
import { requireGeneration } from "@/lib/certificates/generation";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";

/**
 * Loads the pkcs12 container of an app, which is made when none is stored yet (`api.md` 6.1).
 *
 * @param appId full uuid or short id, in any case; of several apps with the same short id the newest one counts
 * @returns Base64 without line breaks
 * @throws AppError 400 while generation is off, without an id, for an unknown app, one whose container cannot be made, and
 *   one whose certificate has expired; 503 when it takes too long or too many are being made
 */
export async function loadAppContainer(appId: string | undefined, writer: WriteContext): Promise<string> {
  requireGeneration();
  if (appId === undefined) throw new AppError("invalid", "appId or AppId is required");
  const uuid = await findAppUuid(appId.toLowerCase());
  const stored = uuid === null ? null : ((await findStored(uuid)) ?? (await makeAndFind(uuid, writer)));
  if (stored === null) throw new AppError("invalid", "No certificate is stored for this app");
  if (stored.expirationTs <= new Date()) throw new AppError("invalid", "The stored certificate has expired");
  return stored.container;
}

const findStored = (uuid: string) => AppCertificateModel.findOne({ _id: uuid }).lean();

async function makeAndFind(uuid: string, writer: WriteContext) {
  await makeFirstCertificate(uuid, writer);
  return findStored(uuid);
}

/** Finds the uuid of the newest app with this lower-cased uuid or, failing that, short id. */
export async function findAppUuid(lowerCasedId: string): Promise<string | null> {
  const byUuid = await ApplicationModel.findOne({ uuidKey: lowerCasedId }, { uuid: 1 }).sort({ _id: -1 }).lean();
  if (byUuid !== null) return byUuid.uuid;
  const byShortId = await ApplicationModel.findOne({ shortKey: lowerCasedId }, { uuid: 1 }).sort({ _id: -1 }).lean();
  return byShortId?.uuid ?? null;
}
