import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The lowest limit of the supported systems (macOS: 104 including the end byte). */
const maxSocketPathBytes = 103;
const fits = (path: string) => Buffer.byteLength(path) <= maxSocketPathBytes;

/** A private folder in the system's temporary folder; null if somebody else created it. */
function privateFolder(name: string): string | null {
  const folder = join(tmpdir(), name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stat = lstatSync(folder);
    const isOurs = stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
    return isOurs && stat.isDirectory() ? folder : null;
  } catch {
    return null;
  }
}

/** The socket file, the same at every start. Null if no path is short enough and private: use a loopback port. */
export function chooseSocket(dataDir: string): string | null {
  if (process.platform === "win32") return null;
  const inside = join(dataDir, "database.sock");
  if (fits(inside)) return inside;
  const folder = privateFolder(`edb-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`);
  const outside = folder && join(folder, "database.sock");
  return outside && fits(outside) ? outside : null;
}
