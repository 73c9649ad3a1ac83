import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Address =
  { readonly kind: "socket"; readonly path: string } | { readonly kind: "port"; readonly port: number };

/** The shortest limit of the systems meant here (macOS: 104 with the end byte). */
const maxSocketPathBytes = 103;
const fits = (path: string) => Buffer.byteLength(path) <= maxSocketPathBytes;

/** A folder of ours alone under the system's temporary folder; null when somebody else has made it. */
function privateFolder(name: string): string | null {
  const folder = join(tmpdir(), name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = uid === process.getuid?.() && (mode & 0o077) === 0;
    return isOurs && lstatSync(folder).isDirectory() ? folder : null;
  } catch {
    return null;
  }
}

/**
 * Where to listen for a data folder, the same at every start: a socket in the folder, a socket in a short private
 * folder when that path would be too long, else the loopback port of last time.
 */
export function chooseAddress(dataDir: string): Address {
  if (process.platform !== "win32") {
    const inside = join(dataDir, "database.sock");
    if (fits(inside)) return { kind: "socket", path: inside };
    const folder = privateFolder(`edb-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`);
    if (folder !== null && fits(join(folder, "database.sock"))) {
      return { kind: "socket", path: join(folder, "database.sock") };
    }
  }
  return { kind: "port", port: rememberedPort(dataDir) };
}

function rememberedPort(dataDir: string): number {
  try {
    const port = Number(readFileSync(join(dataDir, "port"), "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65536 ? port : 0;
  } catch {
    return 0;
  }
}

export function rememberPort(dataDir: string, port: number): void {
  writeFileSync(join(dataDir, "port"), String(port), { mode: 0o600 });
}
