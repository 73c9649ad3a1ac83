import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/** Makes a process that has ended and that its parent does not ask for. `end` ends the parent, and with it the zombie. */
export async function startZombie(): Promise<{ readonly pid: number; end(): void }> {
  // The shell makes a child, tells its number and becomes a program that never waits for children; a shell would.
  const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as unknown[];
  const pid = Number(line);
  while (readFileSync(`/proc/${parent.pid}/comm`, "utf8") !== "sleep\n") await wait(5);
  process.kill(pid, "SIGKILL");
  while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await wait(5);
  return { pid, end: () => parent.kill("SIGKILL") };
}
