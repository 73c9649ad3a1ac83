import { once } from "node:events";
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { isOtherProcess } from "@/lib/platform/process/run-time";

/** Systems limit the length of a socket's path; the lowest limit is 103 bytes. */
const longestPath = 100;
const ofProcess = /^console-(\d+)\.sock$/;

export interface ConsoleSocket {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * The console's socket, in a folder that only this user may enter: `run` in the data folder, else a new temporary one
 * if the path is too long or not writable. A pipe on Windows. Removes sockets of killed servers.
 */
export function makeConsoleSocket(dataDir: string, temporary = tmpdir()): ConsoleSocket {
  const name = `console-${process.pid}.sock`;
  if (process.platform === "win32") {
    return { path: String.raw`\\.\pipe\open-policy-server-${process.pid}`, remove: () => Promise.resolve() };
  }
  const inside = path.join(dataDir, "run");
  const socket = path.join(inside, name);
  if (Buffer.byteLength(socket) <= longestPath && prepareFolder(inside))
    return { path: socket, remove: () => rm(socket, { force: true }) };
  const folder = mkdtempSync(path.join(temporary, "policy-server-"));
  return { path: path.join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Creates the folder and returns whether it is usable: with a MongoDB, the server runs without a writable folder. */
function prepareFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    accessSync(folder, constants.W_OK);
    for (const file of readdirSync(folder)) {
      const [, pid] = ofProcess.exec(file) ?? [];
      if (pid !== undefined && !isOtherProcess(Number(pid))) rmSync(path.join(folder, file), { force: true });
    }
    return true;
  } catch {
    return false;
  }
}

/** Returns the path; a temporary one if that of a killed console stays in the way, e.g. on a read-only disk. */
export async function listenOnSocket(server: Server, socket: string, temporary = tmpdir()): Promise<string> {
  const listen = (at: string) => once(server.listen(at), "listening");
  try {
    await rm(socket, { force: true });
    await listen(socket);
    return socket;
  } catch (error) {
    if (process.platform === "win32") throw error;
    const other = path.join(await mkdtemp(path.join(temporary, "policy-server-")), path.basename(socket));
    await listen(other);
    return other;
  }
}
