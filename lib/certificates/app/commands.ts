import "server-only";
import { makeAppContainer, saveAppContainer } from "@/lib/certificates/app/app-container";
import { isKnownApp } from "@/lib/certificates/app/known-app";
import { requireGeneration } from "@/lib/certificates/generation";
import { makeContainer, mismatchSentence } from "@/lib/certificates/making";
import type { AppCertificateBody } from "@/lib/certificates/schema";
import { readKeyPair } from "@/lib/certificates/worker/key-pair";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";

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
  const outcome = await saveAppContainer(appUuid, { container, expiresAt: pair.expiresAt, facts: pair }, writer);
  if (outcome === "unknown") throw unknownApp();
}

/**
 * Makes a certificate for an app and stores it (`directory.md` 9.1).
 *
 * @param clientKey PEM of the key to keep; a new one is made when it is not given
 * @throws AppError 400 when generation is off or no version of the app is stored
 */
export async function renewAppCertificate(uuid: string, writer: WriteContext, clientKey?: string): Promise<void> {
  const made = await makeAppContainer(requireGeneration(), uuid, { clientKey });
  if ((await saveAppContainer(uuid, made, writer)) === "unknown") throw unknownApp();
}

function unknownApp(): AppError {
  return new AppError("invalid", "Unknown application");
}
