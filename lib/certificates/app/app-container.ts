import "server-only";
import { describeIssued } from "@/lib/certificates/audit";
import { type GenerationSettings, findGeneration } from "@/lib/certificates/generation";
import type { CertificateFacts, KeyFacts } from "@/lib/certificates/worker/key-pair";
import { generateRsaKey } from "@/lib/certificates/keys";
import { makeCertificate, makeContainer } from "@/lib/certificates/making";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppCertificateModel } from "@/models/app-certificate";
import type { ClientSession } from "mongoose";
import { ApplicationModel } from "@/models/application";

/** A container as it is stored for an app. */
export interface AppContainer {
  /** pkcs12, Base64. */
  readonly container: string;
  /** End of the certificate in it. */
  readonly expiresAt: Date;
  /** Names the certificate and its key, for the audit trail. */
  readonly facts: CertificateFacts & KeyFacts;
}

/** `unknown`: no version of the app is stored; `changed`: another container was stored meanwhile. Nothing is written then. */
export type SaveOutcome = "saved" | "unknown" | "changed";

/**
 * Makes a certificate for an app and packs it with its key (`directory.md` 9.1).
 *
 * @param options.clientKey PEM of the key to keep; a new one is made when it is not given
 * @param options.isUrgent the app itself waits for it
 */
export async function makeAppContainer(
  settings: GenerationSettings,
  uuid: string,
  { clientKey, isUrgent = false }: { readonly clientKey?: string | undefined; readonly isUrgent?: boolean } = {},
): Promise<AppContainer> {
  const privateKey = clientKey ?? (await generateRsaKey(settings.privateKeyBitsize, isUrgent));
  const issued = await makeCertificate(settings, privateKey, { serialNumber: uuid });
  const container = await makeContainer(settings, { certificate: issued.certificate, privateKey });
  return { container, expiresAt: new Date(issued.expiresAt), facts: issued };
}

/**
 * Stores a container for an app, in place of what is stored.
 *
 * @param replaced the container it was made to replace, null for none: another one is then left alone. Not given: whatever
 *   is stored is replaced
 */
export async function saveAppContainer(
  uuid: string,
  { container, expiresAt, facts }: AppContainer,
  writer: WriteContext,
  replaced?: string | null,
): Promise<SaveOutcome> {
  return inTransaction(writer, async (tx) => {
    // No policy table is made from it.
    tx.keepRevision();
    // It may have been deleted while the certificate was being made.
    if (!(await isKnownApp(uuid, tx.session))) return "unknown";
    if (replaced !== undefined) {
      const stored = await AppCertificateModel.findOne({ _id: uuid }, { container: 1 }, { session: tx.session }).lean();
      if ((stored?.container ?? null) !== replaced) return "changed";
    }
    const values = { container, expirationTs: expiresAt, createdAt: tx.now };
    await AppCertificateModel.updateOne({ _id: uuid }, { $set: values }, { session: tx.session, upsert: true });
    tx.record({ action: "app-certificate.save", target: `app:${uuid}`, after: describeIssued(facts) });
    return "saved";
  });
}

/**
 * Makes and stores the first certificate of an app (`directory.md` rule D13); one that was stored meanwhile is left alone,
 * and nothing happens while generation is off.
 *
 * @param options.isUrgent the app itself waits for it
 * @throws AppError, WorkerTaskError, DatabaseUnavailable
 */
export async function issueFirstCertificate(
  uuid: string,
  writer: WriteContext,
  options: { readonly isUrgent?: boolean } = {},
): Promise<void> {
  const settings = findGeneration();
  if (settings !== null) await saveAppContainer(uuid, await makeAppContainer(settings, uuid, options), writer, null);
}

/** Whether a version of this app is stored; the uuid is compared exactly. */
export async function isKnownApp(uuid: string, session?: ClientSession): Promise<boolean> {
  const found = await ApplicationModel.findOne({ uuid }, { _id: 1 })
    .session(session ?? null)
    .lean();
  return found !== null;
}
