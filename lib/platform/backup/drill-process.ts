import "server-only";
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { programEnvironment } from "@/lib/platform/settings";
import { findNewestBackup } from "@/lib/platform/backup/commands";

/** Of the newest backup, in milliseconds: a day, and time for the backup. */
const oldestMs = 26 * 3_600_000;
const result = z.object({ documents: z.number(), tables: z.number(), apps: z.number() });

/**
 * Runs `open-policy restore-drill` with the newest nightly backup (`exchange.md` X12a), in a process of its own with low
 * priority: vehicles and the console come first. Throws an Error with a sentence for administrators.
 */
export async function drillNewest(folder: string, stop: AbortSignal, now = new Date()) {
  const file = await findNewestBackup(folder);
  if (file === null || now.getTime() - (await stat(file)).mtimeMs > oldestMs) {
    throw new Error(
      "BACKUP_DIR has no backup of the last night. With several instances, it must be a folder that they share.",
    );
  }
  const program = path.join(/* turbopackIgnore: true */ process.cwd(), "bin", "open-policy.mjs");
  const args = [program, "restore-drill", file, "--json"];
  const env = { ...programEnvironment("console"), LOG_LEVEL: "error" };
  const running = promisify(execFile)(process.execPath, args, { env, signal: stop, maxBuffer: 64 * 1024 * 1024 });
  if (running.child.pid !== undefined) setPriority(running.child.pid, constants.priority.PRIORITY_LOW);
  const { stdout } = await running.catch((error: unknown) => {
    const told = error instanceof Error && "stderr" in error ? String(error.stderr).trim().replaceAll("\n", "; ") : "";
    throw new Error(told === "" ? "The restore drill ended without a result" : told, { cause: error });
  });
  return result.parse(JSON.parse(stdout));
}
