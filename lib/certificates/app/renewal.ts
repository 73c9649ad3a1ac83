import "server-only";
import { makeAppContainer, saveAppContainer } from "@/lib/certificates/app/app-container";
import { isAuthorityValid, findGeneration, type GenerationSettings } from "@/lib/certificates/generation";
import { renewModuleCertificate } from "@/lib/certificates/module/module-renewal";
import { isRenewalDue } from "@/lib/certificates/renewal-rules";
import { certificateWorker, WorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { distinct } from "@/lib/vocabulary/order";
import { isUnavailable, toDatabaseError } from "@/lib/platform/db/connection/errors";
import type { WriteContext } from "@/lib/platform/db/transaction";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { log } from "@/lib/platform/log";
import { pause } from "@/lib/platform/async";
import { recordStatuses } from "@/lib/vocabulary/terms";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";

const atOnce = 4;

export interface RenewalOptions {
  /** Stops after the apps in progress; the next run continues. */
  readonly signal?: AbortSignal;
  /** Pause after every few apps, as a share of the time they took, because vehicles need CPU time too. */
  readonly restShare?: number;
}

/**
 * `directory.md` 9.2, rules X1 to X4. Thousands of keys take hours; every app is stored separately, so that the next
 * run continues an interrupted one. Throws Error if the authority is unusable.
 */
export async function renewAppCertificates(
  writer: WriteContext,
  report: TaskReport,
  { signal, restShare = 1 }: RenewalOptions = {},
) {
  const settings = findGeneration();
  const counts = { renewed: 0, failed: 0, spared: 0 };
  const outcome = () => ({ renewed: counts.renewed, failed: counts.failed });
  if (settings === null) return outcome();
  report.phase("looking for expiring app certificates");
  let total = 0;
  for await (const uuids of readDueApps()) total += uuids.length;
  if (total === 0) return outcome();
  // Otherwise every app would create a key and then fail.
  if (!(await isAuthorityValid(settings.certificateGeneration))) {
    throw new Error(
      "The certificate authority cannot be used: its files cannot be read, do not fit the passphrase, or have expired",
    );
  }

  report.phase("renewing app certificates");
  report.progress(0, total);
  for await (const uuids of readDueApps()) {
    for (let first = 0; first < uuids.length; first += atOnce) {
      if (signal?.aborted === true) return outcome();
      const start = performance.now();
      const results = await Promise.all(
        uuids.slice(first, first + atOnce).map((uuid) => renewApp(settings, uuid, writer)),
      );
      for (const result of results) counts[result] += 1;
      report.progress(counts.renewed + counts.failed + counts.spared, total);
      const restMs = (performance.now() - start) * restShare;
      await pause(restMs, signal ? [signal] : []);
    }
  }
  log.info(outcome(), "app certificates renewed");
  return outcome();
}

/** Of the newest STAGING and PRODUCTION module config (`directory.md` 9.3); does nothing while generation is off. */
export async function renewModuleCertificates(writer: WriteContext, report: TaskReport): Promise<number> {
  const settings = findGeneration();
  if (settings === null) return 0;
  report.phase("renewing the certificates of the module config");
  const results: PromiseSettledResult<boolean>[] = [];
  // Sequential, and a failure of one does not prevent the other.
  for (const status of recordStatuses) {
    results.push(...(await Promise.allSettled([renewModuleCertificate(settings, status, writer)])));
  }
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results.filter((result) => result.status === "fulfilled" && result.value).length;
}

/** A failure affects only one app (rule X3), except without a database, where all others would fail too. */
export async function renewApp(
  settings: GenerationSettings,
  uuid: string,
  writer: WriteContext,
  isUrgent = false,
): Promise<"renewed" | "failed" | "spared"> {
  try {
    const stored = await AppCertificateModel.findOne({ _id: uuid }).lean();
    // Another process was faster.
    if (stored !== null && !isRenewalDue(stored.expirationTs, new Date(), stored.createdAt)) return "spared";
    const key = stored === null ? undefined : await openKey(settings, uuid, stored.container);
    const made = await makeAppContainer(settings, uuid, { clientKey: key, isUrgent });
    // The app may have been deleted, or an administrator may have stored a certificate in the meantime.
    const outcome = await saveAppContainer(uuid, made, writer, stored?.container ?? null);
    return outcome === "saved" ? "renewed" : "spared";
  } catch (error) {
    if (isUnavailable(error)) throw toDatabaseError(error);
    log.error({ app: uuid, err: error }, "the certificate of an app could not be renewed");
    return "failed";
  }
}

/** Undefined if the container does not open, so that a new key is created (rule X2). */
async function openKey(settings: GenerationSettings, uuid: string, container: string): Promise<string | undefined> {
  const { passphrase } = settings.certificateGeneration;
  try {
    return (await certificateWorker().run("open", { container, passphrase })).privateKey;
  } catch (error) {
    // Only an error about the container counts; a failed worker says nothing about it.
    if (!(error instanceof WorkerTaskError && error.failure === "input")) throw error;
    log.warn({ app: uuid, err: error }, "the stored certificate of an app is replaced together with its key");
    return undefined;
  }
}

const pageSize = 500;

/** Ascending. Only one page is in memory, and the next one is read fresh even if processing took hours. */
export async function* readDueApps(): AsyncGenerator<readonly string[], undefined> {
  for (let last: string | undefined = ""; last !== undefined;) {
    const uuids = await readApps(last);
    last = uuids.at(-1);
    const due = await withoutValid(uuids);
    if (due.length > 0) yield due;
  }
  return undefined;
}

/** Apps after this uuid. If an app has more versions than a page, the next page skips the rest. */
async function readApps(after: string): Promise<readonly string[]> {
  const query = ApplicationModel.find({ uuid: { $gt: after } }, { _id: 0, uuid: 1 });
  const versions = await inDatabase(() => query.sort({ uuid: 1, _id: -1 }).limit(pageSize).lean());
  return distinct(versions.map(({ uuid }) => uuid));
}

async function withoutValid(uuids: readonly string[]): Promise<readonly string[]> {
  const stored = await inDatabase(() =>
    AppCertificateModel.find({ _id: { $in: uuids } }, { expirationTs: 1, createdAt: 1 }).lean(),
  );
  const now = new Date();
  const valid = stored.filter((one) => !isRenewalDue(one.expirationTs, now, one.createdAt)).map(({ _id }) => _id);
  return uuids.filter((uuid) => !valid.includes(uuid));
}
