import "server-only";
import { generateKeyPair } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { processGlobal } from "@/lib/platform/process-globals";
import { AppError } from "@/lib/platform/errors";

const generate = promisify(generateKeyPair);

/** OpenSSL works on threads that compression for vehicles also needs: one key, at most two, at a time. */
const maxAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const maxWaiting = 16;

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}
const queue = processGlobal<Queue>("key-generation", () => ({ running: 0, waiting: [] }));

/**
 * Makes an RSA private key. Large ones take many seconds, on other threads.
 *
 * @param bits 1024 to 8192
 * @param isUrgent somebody waits for it: it is the next to be made
 * @returns PEM of PKCS#1, not encrypted
 * @throws AppError 503 when too many keys are being made already
 */
export async function generateRsaKey(bits: number, isUrgent = false): Promise<string> {
  if (queue.running >= maxAtOnce) {
    if (queue.waiting.length >= maxWaiting) {
      throw new AppError("unavailable", "Too many private keys are being generated");
    }
    await new Promise<void>((resolve) => (isUrgent ? queue.waiting.unshift(resolve) : queue.waiting.push(resolve)));
  } else {
    queue.running += 1;
  }
  try {
    const { privateKey } = await generate("rsa", {
      modulusLength: bits,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    return privateKey;
  } finally {
    // The place goes to the next one, or becomes free.
    const next = queue.waiting.shift();
    if (next === undefined) queue.running -= 1;
    else next();
  }
}
