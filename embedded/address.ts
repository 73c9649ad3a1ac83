import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The shortest limit of the systems meant here (macOS: 104 with the end byte). */
const maxSocketPathBytes = 103;
const fits = (path: string) => Buffer.byteLength(path) <= maxSocketPathBytes;

/** A folder of ours alone under the system's temporary folder; null when somebody else has made it. */
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

/**
 * The socket file to listen on, the same at every start: in the data folder, or in a short private folder when that
 * path would be too long. Null where neither is possible: then a port of the loopback interface must do.
 */
export function chooseSocket(dataDir: string): string | null {
  if (process.platform === "win32") return null;
  const inside = join(dataDir, "database.sock");
  if (fits(inside)) return inside;
  const folder = privateFolder(`edb-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`);
  const outside = folder && join(folder, "database.sock");
  return outside && fits(outside) ? outside : null;
}
