import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { loadSettings, type Settings } from "@/lib/settings";
import { sharedState } from "@/lib/shared-state";

const shortest = 32;

type Known = { readonly file: string; readonly secret: string } | null;

const shared = sharedState<{ known: Known }>("session-secret", () => ({ known: null }));

/**
 * The secret that seals session cookies (`settings.md` section 5): `SESSION_SECRET`, or one made at the first use and
 * kept in `DATA_DIR`, readable by the server's user only.
 *
 * @throws Error with one sentence, without the secret, when the file cannot be written or is damaged
 */
export function loadSessionSecret(
  { sessionSecret, dataDir }: Pick<Settings, "sessionSecret" | "dataDir"> = loadSettings(),
): string {
  if (sessionSecret !== null) return sessionSecret;
  const file = path.join(dataDir, "session-secret");
  if (shared.known?.file !== file) shared.known = { file, secret: readOrMake(file) };
  return shared.known.secret;
}

function readOrMake(file: string): string {
  try {
    const secret = read(file) ?? make(file);
    if (secret.length >= shortest) return secret;
  } catch (cause) {
    throw new Error("The file session-secret in DATA_DIR cannot be read or made", { cause });
  }
  throw new Error("The file session-secret in DATA_DIR is damaged: delete it; everybody then signs in again");
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

/**
 * A link never replaces a file: of two processes that start at once one wins, and both read what it wrote. The file has
 * its name only once it is whole, so that a crash leaves no half of it.
 */
function make(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    // Without the remark the bundler would take every file of the project for part of the program.
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
