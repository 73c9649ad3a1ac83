import "server-only";
import { type GenerationSettings, requireGeneration } from "@/lib/certificates/generation";
import { type IssuedCertificate } from "@/lib/certificates/issue";
import { readKeyPair } from "@/lib/certificates/key-pair";
import { generateRsaKey } from "@/lib/certificates/keys";
import { isKnownApp } from "@/lib/certificates/queries";
import { type AppCertificateBody, type CertificateBody } from "@/lib/certificates/schema";
import { buildSubject, type SubjectValues } from "@/lib/certificates/subject";
import { certificateWorker, WorkerTaskError } from "@/lib/certificates/worker-client";
import { inTransaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { AppCertificateModel } from "@/models/app-certificate";

/**
 * Makes an RSA private key (`api.md` 6.3).
 *
 * @param bits size; `PRIVATE_KEY_BITSIZE` when not given
 * @returns PEM, not encrypted
 */
export async function createPrivateKey(bits: number | undefined): Promise<string> {
  const settings = requireGeneration();
  return generateRsaKey(bits ?? settings.privateKeyBitsize);
}

/**
 * Issues a certificate for a private key (`api.md` 6.4). `serviceKey` is always null: the authority's key leaves the
 * server in no answer.
 *
 * @throws AppError 400 when generation is off or the key cannot be read
 */
export async function createCertificate({ clientKey, subject, days }: CertificateBody) {
  const { certificate, csr } = await issue(requireGeneration(), clientKey, subject, days);
  return { certificate, csr, clientKey, serviceKey: null };
}

/**
 * Packs a given certificate and key and stores them for an app, in place of what is stored (`api.md` 6.2).
 *
 * @throws AppError 400 when generation is off, the app is unknown, the two cannot be read or do not belong together, or
 *   the certificate has expired
 */
export async function saveAppCertificate(
  { appUuid, clientKey, certificate }: AppCertificateBody,
  writer: WriteContext,
): Promise<void> {
  const settings = requireGeneration();
  if (!(await isKnownApp(appUuid))) throw unknownApp();
  const pair = readKeyPair(certificate, clientKey);
  if (!pair?.belongsTogether) throw new AppError("invalid", mismatchSentence);
  if (pair.expiresAt <= new Date()) throw new AppError("invalid", "The certificate has expired");
  const container = await pack(settings, { certificate, privateKey: clientKey });
  await storeContainer(appUuid, { container, expiresAt: pair.expiresAt }, writer);
}

/**
 * Makes a certificate for an app and stores it (`directory.md` 9.1).
 *
 * @param clientKey PEM of the key to keep; a new one is made when it is not given
 * @throws AppError 400 when generation is off or no version of the app is stored
 */
export async function renewAppCertificate(uuid: string, writer: WriteContext, clientKey?: string): Promise<void> {
  const settings = requireGeneration();
  const key = clientKey ?? (await generateRsaKey(settings.privateKeyBitsize));
  const issued = await issue(settings, key, { serialNumber: uuid });
  const container = await pack(settings, { certificate: issued.certificate, privateKey: key });
  await storeContainer(uuid, { container, expiresAt: new Date(issued.expiresAt) }, writer);
}

const mismatchSentence = "The private key and certificate do not match or are not valid";

async function issue(
  settings: GenerationSettings,
  clientKey: string,
  subject: SubjectValues,
  days: number = settings.certificateDays,
): Promise<IssuedCertificate> {
  const { caPrivateKeyPath, caCertificatePath, passphrase } = settings.certificateGeneration;
  return withInputError("The private key is not valid", () =>
    certificateWorker().run("issue", {
      authority: { caPrivateKeyPath, caCertificatePath, passphrase },
      clientKey,
      subject: buildSubject(subject, settings),
      days,
      hash: settings.certificateHash,
    }),
  );
}

async function pack(
  settings: GenerationSettings,
  pair: { readonly certificate: string; readonly privateKey: string },
): Promise<string> {
  const { passphrase } = settings.certificateGeneration;
  return withInputError(mismatchSentence, () => certificateWorker().run("container", { ...pair, passphrase }));
}

/** What the caller sent is a 400 with this sentence; all else stays a failure of ours. */
async function withInputError<T>(sentence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkerTaskError && error.failure === "input") throw new AppError("invalid", sentence);
    throw error;
  }
}

async function storeContainer(
  uuid: string,
  { container, expiresAt }: { readonly container: string; readonly expiresAt: Date },
  writer: WriteContext,
): Promise<void> {
  await inTransaction(writer, async (tx) => {
    // It may have been deleted while the certificate was being made.
    if (!(await isKnownApp(uuid, tx.session))) throw unknownApp();
    const values = { container, expirationTs: expiresAt, createdAt: tx.now };
    await AppCertificateModel.updateOne({ _id: uuid }, { $set: values }, { session: tx.session, upsert: true });
    tx.record({ action: "app-certificate.save", target: `app:${uuid}` });
    // No policy table is made from it.
    tx.keepRevision();
  });
}

function unknownApp(): AppError {
  return new AppError("invalid", "Unknown application");
}
