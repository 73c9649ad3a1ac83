import { readFileSync, statSync } from "node:fs";
import type { Server } from "node:https";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { log } from "@/lib/log";

/** Where key and certificate lie, and whom they are for. */
export interface TlsFiles {
  readonly certificatePath: string;
  readonly privateKeyPath: string;
  /** Whether head units are served that know no forward-secret cipher (`TLS_LEGACY_CIPHERS`). */
  readonly legacyCiphers: boolean;
}

/** Forward secrecy and authenticated encryption only; the first three are those of TLS 1.3, which has no others. */
const ciphers = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
].join(":");

/**
 * Reads key and certificate for a TLS server.
 *
 * @throws Error when a file cannot be read or used, or the two do not belong together
 */
export function readTlsOptions({ certificatePath, privateKeyPath, legacyCiphers }: TlsFiles): SecureContextOptions {
  const options: SecureContextOptions = {
    cert: readFileSync(certificatePath),
    key: readFileSync(privateKeyPath),
    minVersion: "TLSv1.2",
    ...(legacyCiphers ? {} : { ciphers, honorCipherOrder: true }),
  };
  // Reports what cannot be used: a server would only do so at the first handshake.
  createSecureContext(options);
  return options;
}

/**
 * Has a server take up key and certificate when their files change, e.g. after a renewal, without a restart. Files that
 * cannot be used are reported once and leave the server with what it has.
 *
 * @param everyMs how often to look; a change counts when it is the same at two looks, since two files change one by one
 */
export function watchTlsFiles(server: Server, files: TlsFiles, everyMs: number): void {
  let used = stampOf(files);
  let seen = used;
  const timer = setInterval(() => {
    const stamp = stampOf(files);
    const isSettled = stamp === seen;
    seen = stamp;
    if (!isSettled || stamp === used) return;
    used = stamp;
    try {
      server.setSecureContext(readTlsOptions(files));
      log.info("the TLS certificate was read again");
    } catch (error) {
      log.error({ err: error }, "the new TLS key and certificate cannot be used; the old ones stay");
    }
  }, everyMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

/** Tells one state of both files from another. */
function stampOf({ certificatePath, privateKeyPath }: TlsFiles): string {
  return [certificatePath, privateKeyPath].map(stampOfFile).join(" ");
}

function stampOfFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "gone" : `${found.ino}:${found.mtimeMs}:${found.size}`;
}
