"one per process";

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { loadSettings, type Settings } from "@/lib/platform/settings";

const shortest = 32;

const known = new Map<string, string>();

/**
 * A secret that this server generates at first use and keeps in `DATA_DIR` (`settings.md` section 5). `remedy`: what to
 * do if it is damaged. Throws an Error with one sentence if it is damaged or cannot be written.
 */
export function loadOwnSecret(name: string, dataDir: string, remedy: string): string {
  const file = path.join(dataDir, name);
  const secret = known.get(file) ?? readOrMake(file, name);
  if (secret.length < shortest) throw new Error(`The file ${name} in DATA_DIR is damaged: ${remedy}`);
  known.set(file, secret);
  return secret;
}

/** Removes the secret. The next use generates another, and everything sealed with the old one is invalid. */
export function forgetOwnSecret(name: string, dataDir: string): void {
  const file = path.join(dataDir, name);
  known.delete(file);
  rmSync(file, { force: true });
}

function readOrMake(file: string, name: string): string {
  try {
    return read(file) ?? make(file);
  } catch (cause) {
    throw new Error(`The file ${name} in DATA_DIR cannot be read or made`, { cause });
  }
}
function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** A link never replaces a file: of two processes that start at once, one wins, and a crash leaves no partial file. */
function make(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    // Without this comment, the bundler would include every file of the project.
    const descriptor = openSync(/*turbopackIgnore: true*/ draft, "wx", 0o600);
    writeSync(descriptor, `${randomBytes(32).toString("hex")}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    linkSync(draft, file);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, "utf8").trim();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** The secret that encrypts session cookies (`settings.md` section 5): `SESSION_SECRET`, or a generated one. */
export function loadSessionSecret(
  { sessionSecret, dataDir }: Pick<Settings, "sessionSecret" | "dataDir"> = loadSettings(),
): string {
  return sessionSecret ?? loadOwnSecret("session-secret", dataDir, "delete it; everybody then signs in again");
}

let keyOfCommand: { readonly key: string; readonly givenUp: string | null } | null = null;

/** The key of the audit trail (`gate.md` W11): `AUDIT_KEY`, or a generated one. Never in the database. */
export function loadAuditKey(): string {
  return keyOfCommand?.key ?? findAuditKey(loadSettings());
}

/** The id of the key that the operator gives up because it is lost (`gate.md` W11); null: none. */
export function loadGivenUpKey(): string | null {
  return keyOfCommand === null ? loadSettings().acceptAuditKey : keyOfCommand.givenUp;
}

/** Runs `work` with the audit key of a command's settings, which are not a server's. Throws as `loadOwnSecret`. */
export async function withAuditKey<T>(
  settings: Pick<Settings, "auditKey" | "dataDir"> & Partial<Pick<Settings, "acceptAuditKey">>,
  work: () => Promise<T>,
): Promise<T> {
  keyOfCommand = { key: findAuditKey(settings), givenUp: settings.acceptAuditKey ?? null };
  try {
    return await work();
  } finally {
    keyOfCommand = null;
  }
}

function findAuditKey({ auditKey, dataDir }: Pick<Settings, "auditKey" | "dataDir">): string {
  const remedy = "bring it back from a backup of the folder";
  return auditKey ?? loadOwnSecret("audit-key", dataDir, remedy);
}
