import { hostname } from "node:os";
import { Output } from "@/lib/platform/log/output";
import { processGlobal } from "@/lib/platform/process-globals";

interface Shared {
  /** E.g. `main`, `console`, `database`, `vehicle-worker-1`. */
  name?: string;
  readonly output: Output;
}

// The server entry and the bundles of Next have an instance of this module each, and write to one output.
const shared = processGlobal<Shared>("log-output", () => ({ output: new Output(noteGap) }));

/** Where the log of this process goes. It never stops the process (`processes.md` N13). */
export const logOutput = shared.output;

/** The members of every line that say where it comes from. */
export function logOrigin() {
  return { pid: process.pid, hostname: hostname(), ...(shared.name === undefined ? {} : { process: shared.name }) };
}

/** For logs made from now on; see `nameProcess` of `lib/platform/log.ts`. */
export function setProcessName(name: string): void {
  shared.name = name;
}

/** How many lines this process has dropped since its start, because they could not be written (N13). */
export function droppedLines(): number {
  return logOutput.dropped;
}

/**
 * Ends this process once its log is written, after a second at most. A write that hangs in a thread would hold up
 * `process.exit`: then the process is killed, with another status.
 */
export async function endProcess(status: number): Promise<never> {
  await logOutput.flush(1000);
  if (logOutput.holdsExit) process.kill(process.pid, "SIGKILL");
  return process.exit(status);
}

/** The line that stands where the log has a gap, whatever its level: nobody should take a gap for silence. */
function noteGap(dropped: number): string {
  const msg = "log lines were dropped: they could not be written fast enough, or at all";
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), ...logOrigin(), dropped, msg })}\n`;
}
