"one per process";

import "server-only";
import { generateKeyPair } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { AppError } from "@/lib/platform/errors";

const generate = promisify(generateKeyPair);

/** OpenSSL uses the threads that also compress answers for vehicles, so only one or two keys are created at a time. */
const maxAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const maxWaiting = 16;

/** `patient` passes only as many keys to `inTurn` as can be created at once, so that an urgent key waits briefly. */
const queues = { inTurn: pLimit(maxAtOnce), patient: pLimit(maxAtOnce) };

/**
 * Unencrypted PEM of PKCS#1. Large keys take seconds, on other threads; `isUrgent`: before others in the queue. Throws
 * AppError 503 if too many keys are in progress.
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
