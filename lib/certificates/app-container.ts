import "server-only";
import { type GenerationSettings } from "@/lib/certificates/generation";
import { generateRsaKey } from "@/lib/certificates/keys";
import { makeCertificate, makeContainer } from "@/lib/certificates/making";
import { isKnownApp } from "@/lib/certificates/queries";
import { inTransaction, type WriteContext } from "@/lib/db/transaction";
import { AppCertificateModel } from "@/models/app-certificate";

/** A container as it is stored for an app. */
export interface AppContainer {
  /** pkcs12, Base64. */
  readonly container: string;
  /** End of the certificate in it. */
  readonly expiresAt: Date;
}

/** `unknown`: no version of the app is stored; `changed`: another container was stored meanwhile. Nothing is written then. */
export type SaveOutcome = "saved" | "unknown" | "changed";

/**
 * Makes a certificate for an app and packs it with its key (`directory.md` 9.1).
 *
 * @param clientKey PEM of the key to keep; a new one is made when it is not given
 */
export async function makeAppContainer(
  settings: GenerationSettings,
  uuid: string,
  clientKey?: string,
): Promise<AppContainer> {
  const privateKey = clientKey ?? (await generateRsaKey(settings.privateKeyBitsize));
  const { certificate, expiresAt } = await makeCertificate(settings, privateKey, { serialNumber: uuid });
  return { container: await makeContainer(settings, { certificate, privateKey }), expiresAt: new Date(expiresAt) };
}

/**
 * Stores a container for an app, in place of what is stored.
 *
 * @param replaced the container it was made to replace, null for none: another one is then left alone. Not given: whatever
 *   is stored is replaced
 */
export async function saveAppContainer(
  uuid: string,
  { container, expiresAt }: AppContainer,
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
    tx.record({ action: "app-certificate.save", target: `app:${uuid}` });
    return "saved";
  });
}
