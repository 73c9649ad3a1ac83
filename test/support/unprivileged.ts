import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, openSync } from "node:fs";
import path from "node:path";
import { freePort } from "./server";
import { stopProcess, whenAnswered } from "./processes";
import { temporaryFolder } from "./temporary-folder";

/** The system's unprivileged user, who runs programs if this process may choose. */
const nobody = 65_534;
/** Null if this process is not root. */
export const otherUser = process.getuid?.() === 0 ? nobody : null;
const identity = otherUser === null ? {} : { uid: otherUser, gid: otherUser };

export function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

export function privateFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  if (otherUser !== null) chownSync(folder, otherUser, otherUser);
  return folder;
}

export interface UnprivilegedServer {
  readonly origin: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** From its start until it answered vehicles, in milliseconds. */
  readonly readyAfter: number;
  readonly logFile: string;
  stop(): Promise<number | null>;
}

/** Starts a Node program as an unprivileged user, without any settings of this process, and waits for its server. */
export async function startUnprivileged(
  [program, ...args]: readonly string[],
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
): Promise<UnprivilegedServer> {
  const [port, logFile] = [await freePort(), path.join(openFolder(), "server.log")];
  const log = openSync(logFile, "a");
  const start = performance.now();
  const child = spawn(program === "node" || program === undefined ? process.execPath : program, args, {
    ...identity,
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", POLICY_SERVER_PORT: String(port), ...env },
    stdio: ["ignore", log, log],
  });
  const origin = `http://127.0.0.1:${port}`;
  await whenAnswered(`${origin}/health/ready`, () => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}; ${logFile}`);
  });
  const readyAfter = Math.round(performance.now() - start);
  const stop = () => stopProcess(child, "SIGTERM").then(() => child.exitCode);
  return { origin, port, child, readyAfter, logFile, stop };
}

export function runUnprivileged(
  args: readonly string[],
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
) {
  const given = { PATH: process.env.PATH ?? "", ...env };
  return spawnSync(process.execPath, args, {
    ...identity,
    cwd: folder,
    env: { NODE_ENV: "production", ...given },
    encoding: "utf8",
  });
}
