import "server-only";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { describeIssued } from "@/lib/certificates/audit";
import { requireGeneration } from "@/lib/certificates/generation";
import { findAppUuid } from "@/lib/certificates/app/on-demand";
import { findFingerprint, readAppCertificate, readKeyPair } from "@/lib/certificates/worker/key-pair";
import { generateRsaKey } from "@/lib/certificates/keys";
import { makeCertificate, makeContainer, mismatchSentence } from "@/lib/certificates/making";
import type { CertificateBody, AppCertificateBody } from "@/lib/certificates/schema";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { saveAppContainer, isKnownApp } from "@/lib/certificates/app/app-container";
import { AppError } from "@/lib/platform/errors";

/** `api.md` 6.3. Every key and certificate that leaves the server is in the audit trail. Returns unencrypted PEM. */
export async function createPrivateKey(bits: number | undefined, writer: WriteContext): Promise<string> {
  const settings = requireGeneration();
  const privateKey = await generateRsaKey(bits ?? settings.privateKeyBitsize);
  const after = { key_fingerprint: findFingerprint(privateKey) };
  await recordAuditEvent(writer, { action: "private-key.create", target: "private_key", after });
  return privateKey;
}

/**
 * `api.md` 6.4. `serviceKey` is null, because no response contains the authority's key. `say` is called if the
 * certificate ends earlier than requested. Throws AppError 400 if generation is off, the key is unreadable, or the
 * authority is not valid now.
 */
export async function createCertificate(
  { clientKey, subject, days }: CertificateBody,
  writer: WriteContext,
  say: (sentence: string) => void = () => undefined,
) {
  const issued = await makeCertificate(requireGeneration(), clientKey, subject, days);
  await recordAuditEvent(writer, { action: "certificate.issue", target: "certificate", after: describeIssued(issued) });
  if (issued.endsWithAuthority) {
    say(`The certificate ends with that of the certificate authority, on ${issued.expiresAt.slice(0, 10)}`);
  }
  return { certificate: issued.certificate, csr: issued.csr, clientKey, serviceKey: null };
}

/**
 * `api.md` 6.2. Returns why head units may refuse the certificate. Throws AppError 400 if generation is off, the app is
 * unknown, the two are unreadable or do not match, or the certificate has expired or is another app's.
 */
export async function saveAppCertificate(
  { appUuid, clientKey, certificate }: AppCertificateBody,
  writer: WriteContext,
): Promise<readonly string[]> {
  const settings = requireGeneration();
  if (!(await isKnownApp(appUuid))) throw unknownApp();
  const pair = readKeyPair(certificate, clientKey);
  if (!pair?.belongsTogether) throw new AppError("invalid", mismatchSentence);
  if (pair.expiresAt <= new Date()) throw new AppError("invalid", "The certificate has expired");
  const { appId, isSelfSigned } = readAppCertificate(certificate);
  if (appId !== null && (await findAppUuid(appId.toLowerCase())) !== appUuid) {
    throw new AppError("invalid", `The certificate is one of another app: the serialNumber of its subject is ${appId}`);
  }
  const container = await makeContainer(settings, { certificate, privateKey: clientKey });
  const outcome = await saveAppContainer(appUuid, { container, expiresAt: pair.expiresAt, facts: pair }, writer);
  if (outcome === "unknown") throw unknownApp();
  return [
    ...(appId === null ? ["The certificate's subject has no serialNumber, by which head units know the app"] : []),
    ...(isSelfSigned ? ["No authority has signed the certificate: head units refuse it unless it is their own"] : []),
  ];
}

function unknownApp(): AppError {
  return new AppError("invalid", "Unknown application");
}
