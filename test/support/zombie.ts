import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/** Creates an ended process whose parent does not wait for it. `end` ends the parent and thereby the zombie. */
export async function startZombie(): Promise<{ readonly pid: number; end(): void }> {
  // The shell starts a child, prints its id and becomes a program that never waits for children, unlike a shell.
  const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as unknown[];
  const pid = Number(line);
  while (readFileSync(`/proc/${parent.pid}/comm`, "utf8") !== "sleep\n") await wait(5);
  process.kill(pid, "SIGKILL");
  while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await wait(5);
  return { pid, end: () => parent.kill("SIGKILL") };
}
