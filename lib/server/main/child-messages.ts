import type { ChildProcess, SendHandle } from "node:child_process";
import { once } from "node:events";
import type { BoundSocket } from "@/lib/platform/listen/bind";
import type { ToChild } from "@/lib/platform/process/messages";

/** Tells a process something, if it can still be told. `socket` goes along, and stays open here. */
export function send(to: ChildProcess, message: ToChild, socket?: BoundSocket): void {
  // The library's types know only the servers that are made of such sockets.
  if (to.connected) to.send(message, socket as unknown as SendHandle | undefined, () => undefined);
}

/** Has a process finish, by force after `timeoutMs` milliseconds; gives whether it finished by itself. */
export async function finish(running: ChildProcess, timeoutMs: number): Promise<boolean> {
  if (running.exitCode !== null || running.signalCode !== null) return running.exitCode === 0;
  const ended = once(running, "exit");
  const deadline = setTimeout(() => running.kill("SIGKILL"), timeoutMs);
  send(running, { kind: "stop" });
  const [status] = (await ended) as [number | null];
  clearTimeout(deadline);
  return status === 0;
}
