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

export interface AppContainer {
  /** Pkcs12, Base64. */
  readonly container: string;
  readonly expiresAt: Date;
  /** For the audit trail. */
  readonly facts: CertificateFacts & KeyFacts;
}

/** `unknown`: the app has no version; `changed`: another container was stored meanwhile. Nothing is written then. */
export type SaveOutcome = "saved" | "unknown" | "changed";

/** `directory.md` 9.1. `clientKey` is the PEM of a key to keep, by default new; `isUrgent`: the app waits for it. */
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

/** Replaces only the container `replaced`, null for none; undefined: whatever is stored. */
export async function saveAppContainer(
  uuid: string,
  { container, expiresAt, facts }: AppContainer,
  writer: WriteContext,
  replaced?: string | null,
): Promise<SaveOutcome> {
  return inTransaction(writer, async (tx) => {
    // Policy tables do not depend on it.
    tx.keepRevision();
    // The app may have been deleted while the certificate was being created.
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

/** Rule D13 of `directory.md`. Keeps a certificate stored in the meantime; does nothing while generation is off. */
export async function issueFirstCertificate(uuid: string, writer: WriteContext): Promise<void> {
  const settings = findGeneration();
  if (settings !== null) await saveAppContainer(uuid, await makeAppContainer(settings, uuid), writer, null);
}

/** Compares the uuid exactly. */
export async function isKnownApp(uuid: string, session?: ClientSession): Promise<boolean> {
  const found = await ApplicationModel.findOne({ uuid }, { _id: 1 })
    .session(session ?? null)
    .lean();
  return found !== null;
}
