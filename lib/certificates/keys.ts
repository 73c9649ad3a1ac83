import "server-only";
import { generateKeyPair } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { AppError } from "@/lib/platform/errors";
import { processGlobal } from "@/lib/platform/process-globals";

const generate = promisify(generateKeyPair);

/** OpenSSL works on threads that compression for vehicles also needs: one key, at most two, at a time. */
const maxAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const maxWaiting = 16;

/** No more keys than can be made at once go on from `patient` to `inTurn`: there an urgent one is not far behind. */
const queues = processGlobal("key-generation", () => ({ inTurn: pLimit(maxAtOnce), patient: pLimit(maxAtOnce) }));

/**
 * Makes an RSA private key. Large ones take many seconds, on other threads.
 *
 * @param bits 1024 to 8192
 * @param isUrgent somebody waits for it: it is made before the others that wait
 * @returns PEM of PKCS#1, not encrypted
 * @throws AppError 503 when too many keys are being made already
 */
export async function generateRsaKey(bits: number, isUrgent = false): Promise<string> {
  const { inTurn, patient } = queues;
  if (inTurn.pendingCount + patient.pendingCount >= maxWaiting) {
    throw new AppError("unavailable", "Too many private keys are being generated");
  }
  const make = () =>
    inTurn(() =>
      generate("rsa", {
        modulusLength: bits,
        privateKeyEncoding: { type: "pkcs1", format: "pem" },
        publicKeyEncoding: { type: "spki", format: "pem" },
      }),
    );
  const { privateKey } = await (isUrgent ? make() : patient(make));
  return privateKey;
}
