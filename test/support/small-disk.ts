import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a file system in memory; null if this user may not, with the reason printed. */
export function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    console.warn(`skipped, a small disk cannot be mounted: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    /** Uses all remaining space, to the last page. */
    fill: () => fillUp(folder, filler),
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillUp(folder: string, filler: string): void {
  const file = openSync(filler, "a");
  try {
    while (statfsSync(folder).bavail > 0) writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}
