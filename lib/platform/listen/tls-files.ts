import { type Stats, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { shareWork } from "@/lib/platform/async";
import { log } from "@/lib/platform/log";

export interface TlsFiles {
  readonly certificatePath: string;
  readonly privateKeyPath: string;
  readonly legacyCiphers: boolean;
}

/** Only forward secrecy and authenticated encryption. The first three are for TLS 1.3, which has no others. */
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

export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Reads certificate and key. Throws one sentence if a file is unusable or they do not match. */
export async function readTlsPair({ certificatePath, privateKeyPath }: TlsFiles): Promise<TlsPair> {
  const [cert, key] = [await readText(certificatePath), await readText(privateKeyPath)];
  // Checked here, because a server reports it only at the first handshake.
  requireUsable({ cert }, `${certificatePath} holds no certificate in PEM that can be used for TLS`);
  requireUsable({ key }, `${privateKeyPath} holds no private key in PEM that can be used for TLS`);
  requireUsable(
    { cert, key },
    `The private key ${privateKeyPath} does not belong to the certificate ${certificatePath}`,
  );
  return { cert, key };
}

export function buildTlsOptions(pair: TlsPair, legacyCiphers: boolean): SecureContextOptions {
  return { ...pair, minVersion: "TLSv1.2", ...(legacyCiphers ? {} : { ciphers, honorCipherOrder: true }) };
}

/** Reads certificate and key again when their files change. Waits until two checks agree: they change one by one. */
export function watchTlsFiles(files: TlsFiles, take: (pair: TlsPair) => void, everyMs = 10_000): () => void {
  const paths = [files.certificatePath, files.privateKeyPath];
  let used = stampOf(paths.map((file) => statSync(file, { throwIfNoEntry: false })));
  let seen = used;
  // One after the other, because a disk may hang.
  const look = shareWork(async () => {
    const stamp = stampOf(await Promise.all(paths.map((file) => stat(file).catch(() => undefined))));
    const isSettled = stamp === seen;
    seen = stamp;
    if (!isSettled || stamp === used) return;
    used = stamp;
    try {
      take(await readTlsPair(files));
      log.info("the TLS certificate was read again");
    } catch (error) {
      log.error({ err: error }, "cannot use the new TLS key and certificate; keeping the old ones");
    }
  });
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown failure";
    throw new Error(`The TLS file ${file} cannot be read: ${code}`, { cause: error });
  }
}

function requireUsable(options: SecureContextOptions, sentence: string): void {
  try {
    createSecureContext(options);
  } catch (error) {
    throw new Error(sentence, { cause: error });
  }
}

function stampOf(found: readonly (Stats | undefined)[]): string {
  return found.map((one) => (one === undefined ? "gone" : `${one.ino}:${one.mtimeMs}:${one.size}`)).join(" ");
}
