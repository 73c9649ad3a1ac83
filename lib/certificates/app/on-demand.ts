"one per process";

import "server-only";
import { renewApp } from "@/lib/certificates/app/renewal";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { within } from "@/lib/platform/async";
import { requireGeneration } from "@/lib/certificates/generation";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";

/** Maximum number of certificates that callers wait for; keys cost CPU time that vehicles need too. */
const maxAtOnce = 8;
/** After this time the caller is told to try again later; the certificate is still finished. Milliseconds. */
const timeoutMs = 20_000;
/** After a failure, requests for the same app do not try again for this long. Milliseconds. */
const pauseMs = 30_000;
const maxFailures = 1_000;

const inProgress = new Map<string, Promise<void>>();
/** When a certificate could not be made last, by app. */
export const lastFailures = new Map<string, number>();

/** Before background keys (rule X5). Logs failures. Throws AppError 503 if too many are in progress or it is slow. */
async function makeCertificateNow(uuid: string, writer: WriteContext): Promise<void> {
  const running = inProgress.get(uuid) ?? begin(uuid, writer);
  if (running === null) return;
  await within(timeoutMs, running, () => {
    throw tooBusy();
  });
}

/** Null after a recent failure. */
function begin(uuid: string, writer: WriteContext): Promise<void> | null {
  const failedAt = lastFailures.get(uuid);
  if (failedAt !== undefined && performance.now() - failedAt < pauseMs) return null;
  if (inProgress.size >= maxAtOnce) throw tooBusy();
  const running = make(uuid, writer).finally(() => inProgress.delete(uuid));
  inProgress.set(uuid, running);
  return running;
}

async function make(uuid: string, writer: WriteContext): Promise<void> {
  if ((await renewApp(requireGeneration(), uuid, writer, true)) === "failed") remember(uuid);
  else lastFailures.delete(uuid);
}

function remember(uuid: string): void {
  lastFailures.delete(uuid);
  lastFailures.set(uuid, performance.now());
  for (const oldest of lastFailures.keys()) {
    if (lastFailures.size <= maxFailures) break;
    lastFailures.delete(oldest);
  }
}

function tooBusy(): AppError {
  return new AppError("unavailable", "The certificate is being created; try again in a moment");
}

/**
 * `api.md` 6.1. `appId` is a uuid or short id in any case; of several apps with the short id, the newest counts.
 * Returns Base64 without line breaks. Throws AppError 400 for an unknown app, while generation is off, or without a
 * usable certificate; 503 if it takes too long or too many are in progress.
 */
export async function loadAppContainer(appId: string | undefined, writer: WriteContext): Promise<string> {
  requireGeneration();
  if (appId === undefined) throw new AppError("invalid", "appId or AppId is required");
  const uuid = await findAppUuid(appId.toLowerCase());
  const found = uuid === null ? null : await findStored(uuid);
  const isUsable = uuid === null || (found !== null && found.expirationTs > new Date());
  const stored = isUsable ? found : await makeAndFind(uuid, writer);
  if (stored === null) throw new AppError("invalid", "No certificate is stored for this app");
  if (stored.expirationTs <= new Date()) throw new AppError("invalid", "The stored certificate has expired");
  return stored.container;
}

const findStored = (uuid: string) => AppCertificateModel.findOne({ _id: uuid }).lean();

async function makeAndFind(uuid: string, writer: WriteContext) {
  await makeCertificateNow(uuid, writer);
  return findStored(uuid);
}

/** Of the newest app with this lower-case uuid or, failing that, short id. */
export async function findAppUuid(lowerCasedId: string): Promise<string | null> {
  const byUuid = await ApplicationModel.findOne({ uuidKey: lowerCasedId }, { uuid: 1 }).sort({ _id: -1 }).lean();
  if (byUuid !== null) return byUuid.uuid;
  const byShortId = await ApplicationModel.findOne({ shortKey: lowerCasedId }, { uuid: 1 }).sort({ _id: -1 }).lean();
  return byShortId?.uuid ?? null;
}
