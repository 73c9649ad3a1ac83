import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { readStat } from "@/lib/platform/process/run-time";

/** Names a process among all that use one database: machine, process namespace (containers), process number. */
export const processIdentity = [hostname(), processNamespace(), process.pid].join(";");

/** Whether a process is known to have ended. For processes of other machines and containers the answer is no. */
export function isGone(identity: string): boolean {
  const number = identity.split(";")[2] ?? "";
  if (!isBeside(identity) || !/^\d+$/.test(number)) return false;
  try {
    process.kill(Number(number), 0);
    return hasEnded(number);
  } catch (error) {
    // Any other refusal means that there is a process.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Whether a process runs, or ran, where this one could see it. */
export function isBeside(identity: string): boolean {
  const [host, namespace] = identity.split(";");
  return host === hostname() && namespace === processNamespace();
}

/** A process that has ended keeps its number until its parent asks for it (states Z and X). False where there is no /proc. */
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
