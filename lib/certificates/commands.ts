import "server-only";
import { makeAppContainer, saveAppContainer } from "@/lib/certificates/app-container";
import { requireGeneration } from "@/lib/certificates/generation";
import { readKeyPair } from "@/lib/certificates/key-pair";
import { generateRsaKey } from "@/lib/certificates/keys";
import { makeCertificate, makeContainer, mismatchSentence } from "@/lib/certificates/making";
import { isKnownApp } from "@/lib/certificates/queries";
import { type AppCertificateBody, type CertificateBody } from "@/lib/certificates/schema";
import { type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";

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
  const { certificate, csr } = await makeCertificate(requireGeneration(), clientKey, subject, days);
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
  const container = await makeContainer(settings, { certificate, privateKey: clientKey });
  const outcome = await saveAppContainer(appUuid, { container, expiresAt: pair.expiresAt }, writer);
  if (outcome === "unknown") throw unknownApp();
}

/**
 * Makes a certificate for an app and stores it (`directory.md` 9.1).
 *
 * @param clientKey PEM of the key to keep; a new one is made when it is not given
 * @throws AppError 400 when generation is off or no version of the app is stored
 */
export async function renewAppCertificate(uuid: string, writer: WriteContext, clientKey?: string): Promise<void> {
  const made = await makeAppContainer(requireGeneration(), uuid, clientKey);
  if ((await saveAppContainer(uuid, made, writer)) === "unknown") throw unknownApp();
}

function unknownApp(): AppError {
  return new AppError("invalid", "Unknown application");
}
