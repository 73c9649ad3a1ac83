import "server-only";
import { issueFirstCertificate } from "@/lib/certificates/app/app-container";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import { processGlobal } from "@/lib/platform/process-globals";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { within } from "@/lib/platform/async";
import { requireGeneration } from "@/lib/certificates/generation";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";

/** Certificates that callers wait for at once: keys cost processor time that vehicles also need. */
const maxAtOnce = 8;
/** A caller is told to come back after this time; the certificate is finished all the same. Milliseconds. */
const timeoutMs = 20_000;
/** An app whose certificate could not be made is not tried again for this long, however often it asks. Milliseconds. */
const pauseMs = 30_000;
/** Failures remembered at once. */
const maxFailures = 1_000;

interface Making {
  readonly running: Map<string, Promise<void>>;
  /** When the certificate of an app could last not be made, as `performance.now()` tells it. */
  readonly failedAt: Map<string, number>;
}
const making = processGlobal<Making>("first-certificates", () => ({ running: new Map(), failedAt: new Map() }));

/**
 * Has the first certificate of an app made now, because somebody waits for it, ahead of all that are made in the background
 * (rule D13). Callers that ask for the same app wait for the same certificate. One that cannot be made is logged: the
 * caller finds none stored.
 *
 * @throws AppError 503 when too many are being made already, or it takes too long; DatabaseUnavailable
 */
export async function makeFirstCertificate(uuid: string, writer: WriteContext): Promise<void> {
  const running = making.running.get(uuid) ?? begin(uuid, writer);
  if (running === null) return;
  await within(timeoutMs, running, () => {
    throw tooBusy();
  });
}

/** @returns null when nothing is begun, because it failed a moment ago */
function begin(uuid: string, writer: WriteContext): Promise<void> | null {
  const failedAt = making.failedAt.get(uuid);
  if (failedAt !== undefined && performance.now() - failedAt < pauseMs) return null;
  if (making.running.size >= maxAtOnce) throw tooBusy();
  const running = make(uuid, writer).finally(() => making.running.delete(uuid));
  making.running.set(uuid, running);
  return running;
}

async function make(uuid: string, writer: WriteContext): Promise<void> {
  try {
    await issueFirstCertificate(uuid, writer, { isUrgent: true });
    making.failedAt.delete(uuid);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    remember(uuid);
    log.error({ app: uuid, err: error }, "the certificate of an app that asks for it could not be made");
  }
}

function remember(uuid: string): void {
  making.failedAt.delete(uuid);
  making.failedAt.set(uuid, performance.now());
  for (const oldest of making.failedAt.keys()) {
    if (making.failedAt.size <= maxFailures) break;
    making.failedAt.delete(oldest);
  }
}

function tooBusy(): AppError {
  return new AppError("unavailable", "The certificate is being created; try again in a moment");
}

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
