import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { readStat } from "@/lib/platform/process/run-time";

/** Identifies a process among all that use one database: host, PID namespace (containers), PID. */
export const processIdentity = [hostname(), processNamespace(), process.pid].join(";");

/** Whether a process is known to have ended. False for other machines and containers. */
export function isGone(identity: string): boolean {
  const number = identity.split(";")[2] ?? "";
  if (!isBeside(identity) || !/^\d+$/.test(number)) return false;
  try {
    process.kill(Number(number), 0);
    return hasEnded(number);
  } catch (error) {
    // Any other error means that the process exists.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

export function isBeside(identity: string): boolean {
  const [host, namespace] = identity.split(";");
  return host === hostname() && namespace === processNamespace();
}

/** An ended process keeps its PID until its parent reaps it (states Z and X). False without /proc. */
function hasEnded(number: string): boolean {
  try {
    return /^[ZXx]/.test(readStat(Number(number))[0] ?? "");
  } catch {
    return false;
  }
}

function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
