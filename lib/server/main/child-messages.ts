import type { ChildProcess, SendHandle } from "node:child_process";
import { once } from "node:events";
import type { BoundSocket } from "@/lib/platform/listen/bind";
import type { ToChild } from "@/lib/platform/process/messages";

/**
 * Tells a process something; nothing happens when it cannot be told any more.
 *
 * @param socket goes with the message, and stays open here
 */
export function send(to: ChildProcess, message: ToChild, socket?: BoundSocket): void {
  // The library's types know only the servers that are made of such sockets.
  if (to.connected) to.send(message, socket as unknown as SendHandle | undefined, () => undefined);
}

/**
 * Has a process finish and end.
 *
 * @param timeoutMs then it is ended by force, in milliseconds
 * @returns whether it has finished everything by itself
 */
export async function finish(running: ChildProcess, timeoutMs: number): Promise<boolean> {
  if (running.exitCode !== null || running.signalCode !== null) return running.exitCode === 0;
  const ended = once(running, "exit");
  const deadline = setTimeout(() => running.kill("SIGKILL"), timeoutMs);
  send(running, { kind: "stop" });
  const [status] = (await ended) as [number | null];
  clearTimeout(deadline);
  return status === 0;
}
