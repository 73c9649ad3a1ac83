"one per process";

import "server-only";
import { authoritySource, type GenerationSettings } from "@/lib/certificates/generation";
import type { IssuedCertificate } from "@/lib/certificates/worker/issue";
import { buildSubject, type SubjectValues } from "@/lib/certificates/worker/subject";
import { certificateWorker, WorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

export const mismatchSentence =
  "The private key and certificate do not match or are not valid: both must be PEM, the key an unencrypted RSA key";
const keySentence = "The private key is not valid: it must be an unencrypted RSA key of 1024 to 8192 bits in PEM";

/**
 * `clientKey`: unencrypted PEM, RSA; `subject`: what differs from the default. Throws AppError 400 for an unreadable
 * key, or if the authority is not valid now, WorkerTaskError if it is unusable.
 */
export async function makeCertificate(
  settings: GenerationSettings,
  clientKey: string,
  subject: SubjectValues,
  days: number = settings.certificateDays,
): Promise<IssuedCertificate> {
  const issued = await withInputError(keySentence, () =>
    certificateWorker().run("issue", {
      authority: authoritySource(settings.certificateGeneration),
      clientKey,
      subject: buildSubject(subject, settings),
      days,
      hash: settings.certificateHash,
    }),
  );
  if (issued.endsWithAuthority) warnOnce(issued.expiresAt);
  return issued;
}

/** A night may create thousands of certificates; one log line per end date of an authority is enough. */
function warnOnce(end: string): void {
  if (warnedEnd === end) return;
  warnedEnd = end;
  log.warn({ end }, "certificates end with the authority's own certificate, earlier than CERTIFICATE_DAYS");
}
let warnedEnd: string | null = null;

/** Base64. Throws AppError 400 if certificate or key (PEM) is unreadable. */
export async function makeContainer(
  settings: GenerationSettings,
  pair: { readonly certificate: string; readonly privateKey: string },
): Promise<string> {
  const { passphrase } = settings.certificateGeneration;
  return withInputError(mismatchSentence, () => certificateWorker().run("container", { ...pair, passphrase }));
}

/** Errors in the caller's input become a 400; all others are failures of this server. */
async function withInputError<T>(sentence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkerTaskError)) throw error;
    if (error.failure === "input") throw new AppError("invalid", sentence);
    if (error.failure === "period")
      throw new AppError("invalid", `The certificate authority's certificate ${error.message}`);
    throw error;
  }
}
